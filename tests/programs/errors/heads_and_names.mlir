// A function without the brace of its body, which holds regions of its own.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#sum = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
// expected-error@+1 {{expected `{` in front of the body of the function}}
func.func @f(%A: tensor<3x4xf64, #CSR>, %y: tensor<3xf64>) -> tensor<3xf64>
  %r = linalg.generic #sum ins(%A : tensor<3x4xf64, #CSR>) outs(%y : tensor<3xf64>) {
    ^bb0(%a: f64, %s: f64):
      %1 = arith.addf %a, %s : f64
      linalg.yield %1 : f64
  } -> tensor<3xf64>
  return %r : tensor<3xf64>
}
