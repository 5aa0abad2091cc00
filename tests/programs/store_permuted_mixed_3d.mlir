// Dense and compressed levels in other orders of the dimensions.
#JKI = #sparse_tensor.encoding<{ map = (i, j, k) -> (j : compressed, k : compressed, i : dense) }>
#JDKI = #sparse_tensor.encoding<{ map = (i, j, k) -> (j : dense, k : compressed, i : compressed) }>
#KDIJ = #sparse_tensor.encoding<{ map = (i, j, k) -> (k : dense, i : compressed, j : compressed) }>
#IDKDJ = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, k : dense, j : compressed) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[[1.0, 0.0], [2.0, 0.0], [0.0, 3.0], [4.0, 0.0]], [[5.0, 6.0], [0.0, 0.0], [0.0, 0.0], [0.0, 7.0]], [[0.0, 0.0], [0.0, 0.0], [0.0, 8.0], [0.0, 0.0]]]> : tensor<3x4x2xf64>
  %jki = sparse_tensor.convert %dense : tensor<3x4x2xf64> to tensor<3x4x2xf64, #JKI>
  sparse_tensor.print %jki : tensor<3x4x2xf64, #JKI>
  %jki_back = sparse_tensor.convert %jki : tensor<3x4x2xf64, #JKI> to tensor<3x4x2xf64>
  %jki_all = vector.transfer_read %jki_back[%c0, %c0, %c0], %zero : tensor<3x4x2xf64>, vector<3x4x2xf64>
  vector.print %jki_all : vector<3x4x2xf64>
  bufferization.dealloc_tensor %jki : tensor<3x4x2xf64, #JKI>
  %jdki = sparse_tensor.convert %dense : tensor<3x4x2xf64> to tensor<3x4x2xf64, #JDKI>
  sparse_tensor.print %jdki : tensor<3x4x2xf64, #JDKI>
  %jdki_back = sparse_tensor.convert %jdki : tensor<3x4x2xf64, #JDKI> to tensor<3x4x2xf64>
  %jdki_all = vector.transfer_read %jdki_back[%c0, %c0, %c0], %zero : tensor<3x4x2xf64>, vector<3x4x2xf64>
  vector.print %jdki_all : vector<3x4x2xf64>
  bufferization.dealloc_tensor %jdki : tensor<3x4x2xf64, #JDKI>
  %kdij = sparse_tensor.convert %dense : tensor<3x4x2xf64> to tensor<3x4x2xf64, #KDIJ>
  sparse_tensor.print %kdij : tensor<3x4x2xf64, #KDIJ>
  %kdij_back = sparse_tensor.convert %kdij : tensor<3x4x2xf64, #KDIJ> to tensor<3x4x2xf64>
  %kdij_all = vector.transfer_read %kdij_back[%c0, %c0, %c0], %zero : tensor<3x4x2xf64>, vector<3x4x2xf64>
  vector.print %kdij_all : vector<3x4x2xf64>
  bufferization.dealloc_tensor %kdij : tensor<3x4x2xf64, #KDIJ>
  %idkdj = sparse_tensor.convert %dense : tensor<3x4x2xf64> to tensor<3x4x2xf64, #IDKDJ>
  sparse_tensor.print %idkdj : tensor<3x4x2xf64, #IDKDJ>
  %idkdj_back = sparse_tensor.convert %idkdj : tensor<3x4x2xf64, #IDKDJ> to tensor<3x4x2xf64>
  %idkdj_all = vector.transfer_read %idkdj_back[%c0, %c0, %c0], %zero : tensor<3x4x2xf64>, vector<3x4x2xf64>
  vector.print %idkdj_all : vector<3x4x2xf64>
  bufferization.dealloc_tensor %idkdj : tensor<3x4x2xf64, #IDKDJ>
  return
}
