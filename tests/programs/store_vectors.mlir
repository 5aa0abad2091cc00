// One dimension: dense, compressed, compressed and narrow.
#D = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>
#C = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#N = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = 32, crdWidth = 32 }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]> : tensor<9xf64>
  %d = sparse_tensor.convert %dense : tensor<9xf64> to tensor<9xf64, #D>
  sparse_tensor.print %d : tensor<9xf64, #D>
  %d_back = sparse_tensor.convert %d : tensor<9xf64, #D> to tensor<9xf64>
  %d_all = vector.transfer_read %d_back[%c0], %zero : tensor<9xf64>, vector<9xf64>
  vector.print %d_all : vector<9xf64>
  bufferization.dealloc_tensor %d : tensor<9xf64, #D>
  %c = sparse_tensor.convert %dense : tensor<9xf64> to tensor<9xf64, #C>
  sparse_tensor.print %c : tensor<9xf64, #C>
  %c_back = sparse_tensor.convert %c : tensor<9xf64, #C> to tensor<9xf64>
  %c_all = vector.transfer_read %c_back[%c0], %zero : tensor<9xf64>, vector<9xf64>
  vector.print %c_all : vector<9xf64>
  bufferization.dealloc_tensor %c : tensor<9xf64, #C>
  %n = sparse_tensor.convert %dense : tensor<9xf64> to tensor<9xf64, #N>
  sparse_tensor.print %n : tensor<9xf64, #N>
  %n_back = sparse_tensor.convert %n : tensor<9xf64, #N> to tensor<9xf64>
  %n_all = vector.transfer_read %n_back[%c0], %zero : tensor<9xf64>, vector<9xf64>
  vector.print %n_all : vector<9xf64>
  bufferization.dealloc_tensor %n : tensor<9xf64, #N>
  return
}
