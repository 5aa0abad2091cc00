// Sizes of a named kernel.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @main() {
  %c = arith.constant dense<1.0> : tensor<4x8xf64>
  %x = arith.constant dense<2.0> : tensor<4xf64>
  %y = arith.constant dense<0.0> : tensor<4xf64>
  %A = sparse_tensor.convert %c : tensor<4x8xf64> to tensor<4x8xf64, #CSR>
  // expected-error@+1 {{`%x` has size 4 in dimension 0, where dimension 1 of `%A` asks for 8}}
  %r = linalg.matvec ins(%A, %x : tensor<4x8xf64, #CSR>, tensor<4xf64>) outs(%y : tensor<4xf64>) -> tensor<4xf64>
  return
}
