// Three compressed levels, in other orders of the dimensions.
#IKJ = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed, k : compressed, j : compressed) }>
#JIK = #sparse_tensor.encoding<{ map = (i, j, k) -> (j : compressed, i : compressed, k : compressed) }>
#KJI = #sparse_tensor.encoding<{ map = (i, j, k) -> (k : compressed, j : compressed, i : compressed) }>
#JKI = #sparse_tensor.encoding<{ map = (i, j, k) -> (j : compressed, k : compressed, i : compressed) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[[1.0, 0.0, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0], [3.0, 4.0, 0.0, 0.0]], [[0.0, 5.0, 0.0, 0.0], [6.0, 0.0, 0.0, 7.0], [8.0, 0.0, 0.0, 9.0]]]> : tensor<2x3x4xf64>
  %ikj = sparse_tensor.convert %dense : tensor<2x3x4xf64> to tensor<2x3x4xf64, #IKJ>
  sparse_tensor.print %ikj : tensor<2x3x4xf64, #IKJ>
  %ikj_back = sparse_tensor.convert %ikj : tensor<2x3x4xf64, #IKJ> to tensor<2x3x4xf64>
  %ikj_all = vector.transfer_read %ikj_back[%c0, %c0, %c0], %zero : tensor<2x3x4xf64>, vector<2x3x4xf64>
  vector.print %ikj_all : vector<2x3x4xf64>
  bufferization.dealloc_tensor %ikj : tensor<2x3x4xf64, #IKJ>
  %jik = sparse_tensor.convert %dense : tensor<2x3x4xf64> to tensor<2x3x4xf64, #JIK>
  sparse_tensor.print %jik : tensor<2x3x4xf64, #JIK>
  %jik_back = sparse_tensor.convert %jik : tensor<2x3x4xf64, #JIK> to tensor<2x3x4xf64>
  %jik_all = vector.transfer_read %jik_back[%c0, %c0, %c0], %zero : tensor<2x3x4xf64>, vector<2x3x4xf64>
  vector.print %jik_all : vector<2x3x4xf64>
  bufferization.dealloc_tensor %jik : tensor<2x3x4xf64, #JIK>
  %kji = sparse_tensor.convert %dense : tensor<2x3x4xf64> to tensor<2x3x4xf64, #KJI>
  sparse_tensor.print %kji : tensor<2x3x4xf64, #KJI>
  %kji_back = sparse_tensor.convert %kji : tensor<2x3x4xf64, #KJI> to tensor<2x3x4xf64>
  %kji_all = vector.transfer_read %kji_back[%c0, %c0, %c0], %zero : tensor<2x3x4xf64>, vector<2x3x4xf64>
  vector.print %kji_all : vector<2x3x4xf64>
  bufferization.dealloc_tensor %kji : tensor<2x3x4xf64, #KJI>
  %jki = sparse_tensor.convert %dense : tensor<2x3x4xf64> to tensor<2x3x4xf64, #JKI>
  sparse_tensor.print %jki : tensor<2x3x4xf64, #JKI>
  %jki_back = sparse_tensor.convert %jki : tensor<2x3x4xf64, #JKI> to tensor<2x3x4xf64>
  %jki_all = vector.transfer_read %jki_back[%c0, %c0, %c0], %zero : tensor<2x3x4xf64>, vector<2x3x4xf64>
  vector.print %jki_all : vector<2x3x4xf64>
  bufferization.dealloc_tensor %jki : tensor<2x3x4xf64, #JKI>
  return
}
