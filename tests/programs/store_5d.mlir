// Five dimensions.
#All = #sparse_tensor.encoding<{ map = (i, j, k, l, m) -> (i : compressed, j : compressed, k : compressed, l : compressed, m : compressed) }>
#Turns = #sparse_tensor.encoding<{ map = (i, j, k, l, m) -> (i : compressed, j : dense, k : compressed, l : dense, m : compressed) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[[[[0.0, 1.0], [0.0, 2.0], [0.0, 0.0]], [[3.0, 0.0], [4.0, 0.0], [5.0, 6.0]]]], [[[[0.0, 0.0], [7.0, 8.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 9.0], [0.0, 10.0]]]]]> : tensor<2x1x2x3x2xf64>
  %all = sparse_tensor.convert %dense : tensor<2x1x2x3x2xf64> to tensor<2x1x2x3x2xf64, #All>
  sparse_tensor.print %all : tensor<2x1x2x3x2xf64, #All>
  %all_back = sparse_tensor.convert %all : tensor<2x1x2x3x2xf64, #All> to tensor<2x1x2x3x2xf64>
  %all_all = vector.transfer_read %all_back[%c0, %c0, %c0, %c0, %c0], %zero : tensor<2x1x2x3x2xf64>, vector<2x1x2x3x2xf64>
  vector.print %all_all : vector<2x1x2x3x2xf64>
  bufferization.dealloc_tensor %all : tensor<2x1x2x3x2xf64, #All>
  %turns = sparse_tensor.convert %dense : tensor<2x1x2x3x2xf64> to tensor<2x1x2x3x2xf64, #Turns>
  sparse_tensor.print %turns : tensor<2x1x2x3x2xf64, #Turns>
  %turns_back = sparse_tensor.convert %turns : tensor<2x1x2x3x2xf64, #Turns> to tensor<2x1x2x3x2xf64>
  %turns_all = vector.transfer_read %turns_back[%c0, %c0, %c0, %c0, %c0], %zero : tensor<2x1x2x3x2xf64>, vector<2x1x2x3x2xf64>
  vector.print %turns_all : vector<2x1x2x3x2xf64>
  bufferization.dealloc_tensor %turns : tensor<2x1x2x3x2xf64, #Turns>
  return
}
