// library
// Rows with room behind their lists of coordinates.
#Loose = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : loose_compressed(nonunique), k : singleton) }>

func.func @main() {
  %d = arith.constant sparse<[[0, 0, 1], [0, 2, 0], [2, 1, 1]], [1.0, 2.0, 3.0]> : tensor<3x3x2xf64>
  %a = sparse_tensor.convert %d : tensor<3x3x2xf64> to tensor<3x3x2xf64, #Loose>
  sparse_tensor.print %a : tensor<3x3x2xf64, #Loose>
  bufferization.dealloc_tensor %a : tensor<3x3x2xf64, #Loose>
  return
}
