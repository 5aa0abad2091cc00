#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#sum = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
func.func @exponentials(%A: tensor<1000x2000xf64, #CSR>, %y: tensor<1000xf64>) -> tensor<1000xf64> {
  %r = linalg.generic #sum ins(%A : tensor<1000x2000xf64, #CSR>) outs(%y : tensor<1000xf64>) {
    ^bb0(%a: f64, %s: f64):
      %b = math.exp %a : f64
      %t = arith.addf %s, %b : f64
      linalg.yield %t : f64
  } -> tensor<1000xf64>
  return %r : tensor<1000xf64>
}
func.func @short(%A: tensor<1000x2000xf64, #CSR>, %y: tensor<1000xf64>) -> tensor<1000xf64> {
  return %y : tensor<1000xf64>
}
func.func @through(%A: tensor<1000x2000xf64, #CSR>, %y: tensor<1000xf64>) -> tensor<1000xf64> {
  %r = func.call @exponentials(%A, %y) : (tensor<1000x2000xf64, #CSR>, tensor<1000xf64>) -> tensor<1000xf64>
  return %r : tensor<1000xf64>
}
#column = {
  indexing_maps = [affine_map<(i, k) -> (i + k, 7)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
func.func @few_points(%B: tensor<2000x2000xf64, #CSR>, %f: tensor<3xf64>, %s: tensor<1998xf64>) -> tensor<1998xf64> {
  %r = linalg.generic #column ins(%B, %f : tensor<2000x2000xf64, #CSR>, tensor<3xf64>) outs(%s : tensor<1998xf64>) {
    ^bb0(%b: f64, %c: f64, %old: f64):
      %p = arith.mulf %b, %c : f64
      %t = arith.addf %old, %p : f64
      linalg.yield %t : f64
  } -> tensor<1998xf64>
  return %r : tensor<1998xf64>
}
