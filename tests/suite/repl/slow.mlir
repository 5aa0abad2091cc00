#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#halves = {
  indexing_maps = [affine_map<(i, j) -> (i floordiv 2, j)>, affine_map<(i, j) -> (i, j)>],
  iterator_types = ["parallel", "parallel"]
}
#sum = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
func.func @twice_each(%A: tensor<1000x2000xf64, #CSR>) -> tensor<2000x2000xf64> {
  %e = tensor.empty() : tensor<2000x2000xf64>
  %r = linalg.generic #halves ins(%A : tensor<1000x2000xf64, #CSR>) outs(%e : tensor<2000x2000xf64>) {
    ^bb0(%a: f64, %old: f64):
      linalg.yield %a : f64
  } -> tensor<2000x2000xf64>
  return %r : tensor<2000x2000xf64>
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
func.func @short(%A: tensor<100x200xf64, #CSR>, %y: tensor<100xf64>) -> tensor<100xf64> {
  %r = linalg.generic #sum ins(%A : tensor<100x200xf64, #CSR>) outs(%y : tensor<100xf64>) {
    ^bb0(%a: f64, %s: f64):
      %b = math.exp %a : f64
      %t = arith.addf %s, %b : f64
      linalg.yield %t : f64
  } -> tensor<100xf64>
  return %r : tensor<100xf64>
}
