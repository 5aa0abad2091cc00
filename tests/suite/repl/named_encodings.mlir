#Rows = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @f(%A: tensor<2x2xf64, #Rows>) -> tensor<2x2xf64, #Rows> {
  return %A : tensor<2x2xf64, #Rows>
}
