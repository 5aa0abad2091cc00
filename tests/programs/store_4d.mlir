// Four dimensions, dense and compressed levels in turn.
#CDCD = #sparse_tensor.encoding<{ map = (i, j, k, l) -> (i : compressed, j : dense, k : compressed, l : dense) }>
#DCDD = #sparse_tensor.encoding<{ map = (i, j, k, l) -> (i : dense, j : compressed, k : dense, l : dense) }>
#DCCD = #sparse_tensor.encoding<{ map = (i, j, k, l) -> (i : dense, j : compressed, k : compressed, l : dense) }>
#Narrow = #sparse_tensor.encoding<{ map = (i, j, k, l) -> (i : compressed, j : compressed, k : compressed, l : compressed), posWidth = 32, crdWidth = 32 }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[[[0.0, 0.0], [0.0, 1.0], [2.0, 0.0]], [[0.0, 0.0], [3.0, 0.0], [4.0, 0.0]]], [[[0.0, 0.0], [0.0, 0.0], [5.0, 0.0]], [[0.0, 6.0], [0.0, 0.0], [0.0, 7.0]]]]> : tensor<2x2x3x2xf64>
  %cdcd = sparse_tensor.convert %dense : tensor<2x2x3x2xf64> to tensor<2x2x3x2xf64, #CDCD>
  sparse_tensor.print %cdcd : tensor<2x2x3x2xf64, #CDCD>
  %cdcd_back = sparse_tensor.convert %cdcd : tensor<2x2x3x2xf64, #CDCD> to tensor<2x2x3x2xf64>
  %cdcd_all = vector.transfer_read %cdcd_back[%c0, %c0, %c0, %c0], %zero : tensor<2x2x3x2xf64>, vector<2x2x3x2xf64>
  vector.print %cdcd_all : vector<2x2x3x2xf64>
  bufferization.dealloc_tensor %cdcd : tensor<2x2x3x2xf64, #CDCD>
  %dcdd = sparse_tensor.convert %dense : tensor<2x2x3x2xf64> to tensor<2x2x3x2xf64, #DCDD>
  sparse_tensor.print %dcdd : tensor<2x2x3x2xf64, #DCDD>
  %dcdd_back = sparse_tensor.convert %dcdd : tensor<2x2x3x2xf64, #DCDD> to tensor<2x2x3x2xf64>
  %dcdd_all = vector.transfer_read %dcdd_back[%c0, %c0, %c0, %c0], %zero : tensor<2x2x3x2xf64>, vector<2x2x3x2xf64>
  vector.print %dcdd_all : vector<2x2x3x2xf64>
  bufferization.dealloc_tensor %dcdd : tensor<2x2x3x2xf64, #DCDD>
  %dccd = sparse_tensor.convert %dense : tensor<2x2x3x2xf64> to tensor<2x2x3x2xf64, #DCCD>
  sparse_tensor.print %dccd : tensor<2x2x3x2xf64, #DCCD>
  %dccd_back = sparse_tensor.convert %dccd : tensor<2x2x3x2xf64, #DCCD> to tensor<2x2x3x2xf64>
  %dccd_all = vector.transfer_read %dccd_back[%c0, %c0, %c0, %c0], %zero : tensor<2x2x3x2xf64>, vector<2x2x3x2xf64>
  vector.print %dccd_all : vector<2x2x3x2xf64>
  bufferization.dealloc_tensor %dccd : tensor<2x2x3x2xf64, #DCCD>
  %narrow = sparse_tensor.convert %dense : tensor<2x2x3x2xf64> to tensor<2x2x3x2xf64, #Narrow>
  sparse_tensor.print %narrow : tensor<2x2x3x2xf64, #Narrow>
  %narrow_back = sparse_tensor.convert %narrow : tensor<2x2x3x2xf64, #Narrow> to tensor<2x2x3x2xf64>
  %narrow_all = vector.transfer_read %narrow_back[%c0, %c0, %c0, %c0], %zero : tensor<2x2x3x2xf64>, vector<2x2x3x2xf64>
  vector.print %narrow_all : vector<2x2x3x2xf64>
  bufferization.dealloc_tensor %narrow : tensor<2x2x3x2xf64, #Narrow>
  return
}
