// Lists of coordinates below a dense level and below a compressed one.
#Rows = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : compressed(nonunique), k : singleton) }>
#Some = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed, j : compressed(nonunique), k : singleton) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 2.0]], [[0.0, 3.0, 0.0, 0.0], [4.0, 5.0, 6.0, 0.0], [0.0, 7.0, 0.0, 8.0]], [[0.0, 9.0, 10.0, 0.0], [11.0, 12.0, 0.0, 0.0], [13.0, 0.0, 0.0, 0.0]]]> : tensor<3x3x4xf64>
  %rows = sparse_tensor.convert %dense : tensor<3x3x4xf64> to tensor<3x3x4xf64, #Rows>
  sparse_tensor.print %rows : tensor<3x3x4xf64, #Rows>
  %rows_back = sparse_tensor.convert %rows : tensor<3x3x4xf64, #Rows> to tensor<3x3x4xf64>
  %rows_all = vector.transfer_read %rows_back[%c0, %c0, %c0], %zero : tensor<3x3x4xf64>, vector<3x3x4xf64>
  vector.print %rows_all : vector<3x3x4xf64>
  bufferization.dealloc_tensor %rows : tensor<3x3x4xf64, #Rows>
  %some = sparse_tensor.convert %dense : tensor<3x3x4xf64> to tensor<3x3x4xf64, #Some>
  sparse_tensor.print %some : tensor<3x3x4xf64, #Some>
  %some_back = sparse_tensor.convert %some : tensor<3x3x4xf64, #Some> to tensor<3x3x4xf64>
  %some_all = vector.transfer_read %some_back[%c0, %c0, %c0], %zero : tensor<3x3x4xf64>, vector<3x3x4xf64>
  vector.print %some_all : vector<3x3x4xf64>
  bufferization.dealloc_tensor %some : tensor<3x3x4xf64, #Some>
  return
}
