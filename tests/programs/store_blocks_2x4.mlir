// Blocks of 2x4 below a dense level.
#Rows = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 4 : compressed, i mod 2 : dense, j mod 4 : dense) }>
#Columns = #sparse_tensor.encoding<{ map = (i, j) -> (j floordiv 4 : dense, i floordiv 2 : compressed, i mod 2 : dense, j mod 4 : dense) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 2.0, 0.0], [0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [4.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf64>
  %rows = sparse_tensor.convert %dense : tensor<4x8xf64> to tensor<4x8xf64, #Rows>
  sparse_tensor.print %rows : tensor<4x8xf64, #Rows>
  %rows_back = sparse_tensor.convert %rows : tensor<4x8xf64, #Rows> to tensor<4x8xf64>
  %rows_all = vector.transfer_read %rows_back[%c0, %c0], %zero : tensor<4x8xf64>, vector<4x8xf64>
  vector.print %rows_all : vector<4x8xf64>
  bufferization.dealloc_tensor %rows : tensor<4x8xf64, #Rows>
  %columns = sparse_tensor.convert %dense : tensor<4x8xf64> to tensor<4x8xf64, #Columns>
  sparse_tensor.print %columns : tensor<4x8xf64, #Columns>
  %columns_back = sparse_tensor.convert %columns : tensor<4x8xf64, #Columns> to tensor<4x8xf64>
  %columns_all = vector.transfer_read %columns_back[%c0, %c0], %zero : tensor<4x8xf64>, vector<4x8xf64>
  vector.print %columns_all : vector<4x8xf64>
  bufferization.dealloc_tensor %columns : tensor<4x8xf64, #Columns>
  return
}
