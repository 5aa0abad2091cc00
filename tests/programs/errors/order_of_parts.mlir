// Parts of an operation in another order, and texts in single quotes.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @named(%A: tensor<4x4xf64, #CSR>, %x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{`ins` belongs in front of `outs`}}
  %0 = linalg.matvec outs(%y : tensor<4xf64>) ins(%A, %x : tensor<4x4xf64, #CSR>, tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func @unary(%a: f64) -> f64 {
  %1 = sparse_tensor.unary %a : f64 to f64
    // expected-error@+1 {{`present` belongs in front of `absent`}}
    absent = { %c = arith.constant 1.0 : f64
      sparse_tensor.yield %c : f64 }
    present = { ^bb0(%x: f64):
      sparse_tensor.yield %x : f64 }
  return %1 : f64
}
func.func @binary(%a: f64, %b: f64) -> f64 {
  %r = sparse_tensor.binary %a, %b : f64, f64 to f64
    overlap = { ^bb0(%x: f64, %y: f64):
      sparse_tensor.yield %x : f64 }
    // expected-error@+1 {{`left` belongs in front of `right`}}
    right = identity
    left = identity
  return %r : f64
}
func.func @quoted(%A: tensor<4x4xf64, #CSR>, %e: tensor<f64>) -> tensor<f64> {
  // expected-error@+1 {{a text stands in double quotes}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->()>], iterator_types = ['reduction', 'reduction']} ins(%A : tensor<4x4xf64, #CSR>) outs(%e : tensor<f64>) {
    ^bb0(%a: f64, %b: f64):
      %1 = arith.addf %a, %b : f64
      linalg.yield %1 : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}
