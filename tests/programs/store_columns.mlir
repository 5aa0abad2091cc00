// The columns of a matrix first.
#CD = #sparse_tensor.encoding<{ map = (i, j) -> (j : compressed, i : dense) }>
#DD = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : dense) }>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (j : compressed(nonunique), i : singleton) }>
#SoA = #sparse_tensor.encoding<{ map = (i, j) -> (j : compressed(nonunique), i : singleton(soa)) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[1.0, 0.0, 2.0, 0.0], [3.0, 4.0, 0.0, 5.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<3x4xf64>
  %cd = sparse_tensor.convert %dense : tensor<3x4xf64> to tensor<3x4xf64, #CD>
  sparse_tensor.print %cd : tensor<3x4xf64, #CD>
  %cd_back = sparse_tensor.convert %cd : tensor<3x4xf64, #CD> to tensor<3x4xf64>
  %cd_all = vector.transfer_read %cd_back[%c0, %c0], %zero : tensor<3x4xf64>, vector<3x4xf64>
  vector.print %cd_all : vector<3x4xf64>
  bufferization.dealloc_tensor %cd : tensor<3x4xf64, #CD>
  %dd = sparse_tensor.convert %dense : tensor<3x4xf64> to tensor<3x4xf64, #DD>
  sparse_tensor.print %dd : tensor<3x4xf64, #DD>
  %dd_back = sparse_tensor.convert %dd : tensor<3x4xf64, #DD> to tensor<3x4xf64>
  %dd_all = vector.transfer_read %dd_back[%c0, %c0], %zero : tensor<3x4xf64>, vector<3x4xf64>
  vector.print %dd_all : vector<3x4xf64>
  bufferization.dealloc_tensor %dd : tensor<3x4xf64, #DD>
  %coo = sparse_tensor.convert %dense : tensor<3x4xf64> to tensor<3x4xf64, #COO>
  sparse_tensor.print %coo : tensor<3x4xf64, #COO>
  %coo_back = sparse_tensor.convert %coo : tensor<3x4xf64, #COO> to tensor<3x4xf64>
  %coo_all = vector.transfer_read %coo_back[%c0, %c0], %zero : tensor<3x4xf64>, vector<3x4xf64>
  vector.print %coo_all : vector<3x4xf64>
  bufferization.dealloc_tensor %coo : tensor<3x4xf64, #COO>
  %soa = sparse_tensor.convert %dense : tensor<3x4xf64> to tensor<3x4xf64, #SoA>
  sparse_tensor.print %soa : tensor<3x4xf64, #SoA>
  %soa_back = sparse_tensor.convert %soa : tensor<3x4xf64, #SoA> to tensor<3x4xf64>
  %soa_all = vector.transfer_read %soa_back[%c0, %c0], %zero : tensor<3x4xf64>, vector<3x4xf64>
  vector.print %soa_all : vector<3x4xf64>
  bufferization.dealloc_tensor %soa : tensor<3x4xf64, #SoA>
  return
}
