// A cast to another encoding is a conversion.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
#Narrow = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32 }>
func.func @main() {
  %d = arith.constant sparse<[[0, 0], [0, 3], [2, 1]], [1.5, -2.0, 3.0]> : tensor<3x4xf64>
  %a = sparse_tensor.convert %d : tensor<3x4xf64> to tensor<3x4xf64, #CSR>
  %columns = tensor.cast %a : tensor<3x4xf64, #CSR> to tensor<3x4xf64, #CSC>
  sparse_tensor.print %columns : tensor<3x4xf64, #CSC>
  %open = tensor.cast %a : tensor<3x4xf64, #CSR> to tensor<?x?xf64, #CSC>
  sparse_tensor.print %open : tensor<?x?xf64, #CSC>
  %narrow = tensor.cast %a : tensor<3x4xf64, #CSR> to tensor<3x4xf64, #Narrow>
  sparse_tensor.print %narrow : tensor<3x4xf64, #Narrow>
  return
}
