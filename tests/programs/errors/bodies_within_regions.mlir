// Operations of bodies, in a region of the body that is no part of its expression.
#id = affine_map<(i) -> (i)>
func.func @main(%a: tensor<4xf64>, %e: tensor<4xf64>) {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%x: f64, %o: f64):
    %zero = arith.constant 0.0 : f64
    %p = arith.cmpf ogt, %x, %zero : f64
    %q = scf.if %p -> (f64) {
      // expected-error@+1 {{nnz runs `sparse_tensor.unary` in the body of a kernel itself, not in a region within it}}
      %u = sparse_tensor.unary %x : f64 to f64 present = { ^bb0(%y: f64): sparse_tensor.yield %y : f64 } absent = {}
      scf.yield %u : f64
    } else {
      scf.yield %o : f64
    }
    linalg.yield %q : f64
  } -> tensor<4xf64>
  return
}
