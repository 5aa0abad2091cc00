// Values of another encoding or of other elements than the text says.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
func.func @main() {
  %c = arith.constant dense<1.0> : tensor<4x4xf64>
  %A = sparse_tensor.convert %c : tensor<4x4xf64> to tensor<4x4xf64, #CSR>
  // expected-error@+1 {{`%A` has `#CSR`, not `#CSC`}}
  sparse_tensor.print %A : tensor<4x4xf64, #CSC>
  // expected-error@+1 {{`%A` holds `f64`, not `f32`}}
  %B = sparse_tensor.convert %A : tensor<4x4xf32, #CSR> to tensor<4x4xf64, #CSC>
  sparse_tensor.print %B : tensor<4x4xf64, #CSC>
  return
}
