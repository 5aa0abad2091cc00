// What the regions of loops, kernels and generated tensors take and hand on.
func.func @loops(%x: f64, %c: i1, %n: index) {
  %while = scf.while (%a = %x) : (f64) -> f64 {
    // expected-error@+1 {{the first region yields `f64` here, not `index`}}
    scf.condition(%c) %n : index
  } do {
  ^bb0(%b: f64):
    scf.yield %b : f64
  }
  %again = scf.while (%a = %x) : (f64) -> f64 {
    scf.condition(%c) %a : f64
  } do {
  // expected-error@+1 {{the second region takes `f64` here, not `index`}}
  ^bb0(%b: index):
    scf.yield %x : f64
  }
  "scf.for"(%n, %n, %n) ({
  // expected-error@+1 {{the region takes `index` here, not `f64`}}
  ^bb0(%i: f64):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  // expected-error@+1 {{`%x` is `f64`; `scf.if` takes `i1`}}
  "scf.if"(%x) ({
    "scf.yield"() : () -> ()
  }, {
  }) : (f64) -> ()
  return
}

#each = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }
// expected-error@+1 {{an indexing map has dimensions only}}
#symbol = { indexing_maps = [affine_map<(i)[s] -> (i + s)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }
// expected-error@+1 {{nothing says how far loop `j` runs: no indexing map has `j` alone}}
#sum = { indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"] }

func.func @kernels(%t: tensor<4xf64>, %n: index) {
  %type = linalg.generic #each ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
    // expected-error@+1 {{the region takes `f64` here, not `f32`}}
    ^bb0(%a: f32, %x: f64):
      linalg.yield %x : f64
  } -> tensor<4xf64>
  %count = linalg.generic #each ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
    ^bb0(%a: f64, %x: f64):
      // expected-error@+1 {{the region yields 1 value, not 2}}
      linalg.yield %a, %x : f64, f64
  } -> tensor<4xf64>
  %symbol = linalg.generic #symbol ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
    ^bb0(%a: f64, %x: f64):
      linalg.yield %a : f64
  } -> tensor<4xf64>
  %open = linalg.generic #sum ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
    ^bb0(%a: f64, %x: f64):
      linalg.yield %a : f64
  } -> tensor<4xf64>
  %made = tensor.generate {
    // expected-error@+1 {{the region takes `index` here, not `i32`}}
    ^bb0(%i: i32):
      %one = arith.constant 1.0 : f64
      tensor.yield %one : f64
  } : tensor<4xf64>
  return
}

func.func @maps(%i: index) {
  // expected-error@+1 {{the map takes 2 indices, not 1}}
  %a = affine.apply affine_map<(i)[s] -> (i + s)>(%i)
  // expected-error@+1 {{a map with one result is applied, and this has 2}}
  %b = affine.apply affine_map<(i) -> (i, i)>(%i)
  return
}

func.func @generic_branches(%c: i1) {
  // expected-error@+1 {{`cf.cond_br` leads to 2 blocks, not 1}}
  "cf.cond_br"(%c)[^end] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^end:
  return
}
