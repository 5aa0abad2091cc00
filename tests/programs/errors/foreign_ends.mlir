// Each region ends with its own operation, and a function with `return`: one error at what stands there instead.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  scf.for %i = %c0 to %c4 step %c1 {
    vector.print %i : index
    // expected-error@+1 {{a region of `scf.for` ends with `scf.yield`, not with `return`}}
    return
  }
  %x = scf.if %t -> (index) {
    // expected-error@+1 {{a region of `scf.if` ends with `scf.yield`, not with `return`}}
    return %c0 : index
  } else {
    scf.yield %c1 : index
  }
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error@+1 {{a region of `scf.for` ends with `scf.yield`, not with `linalg.yield`}}
    linalg.yield
  }
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    // expected-error@+1 {{a region of `scf.parallel` ends with `scf.reduce`, not with `scf.yield`}}
    scf.yield
  }
  scf.while : () -> () {
    // expected-error@+1 {{a region of `scf.while` ends with `scf.condition`, not with `scf.yield`}}
    scf.yield
  } do {
    scf.yield
  }
  "scf.for"(%c0, %c4, %c1) ({
  ^bb0(%i: index):
    // expected-error@+1 {{a region of `scf.for` ends with `scf.yield`, not with `tensor.yield`}}
    "tensor.yield"() : () -> ()
  }) : (index, index, index) -> ()
  // expected-error@+1 {{a function ends with `return`, not with `scf.yield`}}
  scf.yield
}

func.func @kernel(%a: tensor<8xf64, #V>, %b: tensor<8xf64>) -> tensor<8xf64> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%a : tensor<8xf64, #V>) outs(%b : tensor<8xf64>) {
  ^bb0(%x: f64, %y: f64):
    // expected-error@+1 {{a region of `linalg.generic` ends with `linalg.yield`, not with `return`}}
    return %x : f64
  } -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

func.func @more_behind(%a: tensor<8xf64, #V>, %b: tensor<8xf64>) -> tensor<8xf64> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%a : tensor<8xf64, #V>) outs(%b : tensor<8xf64>) {
  ^bb0(%x: f64, %y: f64):
    // expected-error@+1 {{`linalg.yield` ends a block, and more stands behind it}}
    linalg.yield %x : f64
    %z = arith.addf %x, %y : f64
  } -> tensor<8xf64>
  return %0 : tensor<8xf64>
}
