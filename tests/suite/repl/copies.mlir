#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#conv = { indexing_maps = [affine_map<(i, k, j) -> (i + k, j)>, affine_map<(i, k, j) -> (k)>, affine_map<(i, k, j) -> (i, j)>],
  iterator_types = ["parallel", "reduction", "parallel"] }
func.func @sparse(%A: tensor<2000x2000xf64, #CSR>, %w: tensor<3xf64>) -> tensor<1998x2000xf64, #CSR> {
  %y = tensor.empty() : tensor<1998x2000xf64, #CSR>
  %0 = linalg.generic #conv ins(%A, %w : tensor<2000x2000xf64, #CSR>, tensor<3xf64>) outs(%y : tensor<1998x2000xf64, #CSR>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %1 = arith.mulf %a, %b : f64
      %2 = arith.addf %o, %1 : f64
      linalg.yield %2 : f64
  } -> tensor<1998x2000xf64, #CSR>
  return %0 : tensor<1998x2000xf64, #CSR>
}
func.func @dense(%A: tensor<2000x2000xf64, #CSR>, %w: tensor<3xf64>) -> tensor<1998x2000xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1998x2000xf64>
  %y = linalg.fill ins(%zero : f64) outs(%e : tensor<1998x2000xf64>) -> tensor<1998x2000xf64>
  %0 = linalg.generic #conv ins(%A, %w : tensor<2000x2000xf64, #CSR>, tensor<3xf64>) outs(%y : tensor<1998x2000xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %1 = arith.mulf %a, %b : f64
      %2 = arith.addf %o, %1 : f64
      linalg.yield %2 : f64
  } -> tensor<1998x2000xf64>
  return %0 : tensor<1998x2000xf64>
}
