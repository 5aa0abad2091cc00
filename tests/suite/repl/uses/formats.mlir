#Rows = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @twice(%a: tensor<?x?xf64, #Rows>) -> tensor<?x?xf64, #Rows> {
  return %a : tensor<?x?xf64, #Rows>
}
