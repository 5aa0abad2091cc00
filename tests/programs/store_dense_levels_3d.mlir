// Dense levels above, between and below compressed ones.
#CDC = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed, j : dense, k : compressed) }>
#CCD = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed, j : compressed, k : dense) }>
#DCD = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : compressed, k : dense) }>
#DCC = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : compressed, k : compressed) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[[0.0, 0.0, 1.0, 2.0], [0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 3.0], [0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 4.0], [5.0, 6.0, 0.0, 0.0]]]> : tensor<3x2x4xf64>
  %cdc = sparse_tensor.convert %dense : tensor<3x2x4xf64> to tensor<3x2x4xf64, #CDC>
  sparse_tensor.print %cdc : tensor<3x2x4xf64, #CDC>
  %cdc_back = sparse_tensor.convert %cdc : tensor<3x2x4xf64, #CDC> to tensor<3x2x4xf64>
  %cdc_all = vector.transfer_read %cdc_back[%c0, %c0, %c0], %zero : tensor<3x2x4xf64>, vector<3x2x4xf64>
  vector.print %cdc_all : vector<3x2x4xf64>
  bufferization.dealloc_tensor %cdc : tensor<3x2x4xf64, #CDC>
  %ccd = sparse_tensor.convert %dense : tensor<3x2x4xf64> to tensor<3x2x4xf64, #CCD>
  sparse_tensor.print %ccd : tensor<3x2x4xf64, #CCD>
  %ccd_back = sparse_tensor.convert %ccd : tensor<3x2x4xf64, #CCD> to tensor<3x2x4xf64>
  %ccd_all = vector.transfer_read %ccd_back[%c0, %c0, %c0], %zero : tensor<3x2x4xf64>, vector<3x2x4xf64>
  vector.print %ccd_all : vector<3x2x4xf64>
  bufferization.dealloc_tensor %ccd : tensor<3x2x4xf64, #CCD>
  %dcd = sparse_tensor.convert %dense : tensor<3x2x4xf64> to tensor<3x2x4xf64, #DCD>
  sparse_tensor.print %dcd : tensor<3x2x4xf64, #DCD>
  %dcd_back = sparse_tensor.convert %dcd : tensor<3x2x4xf64, #DCD> to tensor<3x2x4xf64>
  %dcd_all = vector.transfer_read %dcd_back[%c0, %c0, %c0], %zero : tensor<3x2x4xf64>, vector<3x2x4xf64>
  vector.print %dcd_all : vector<3x2x4xf64>
  bufferization.dealloc_tensor %dcd : tensor<3x2x4xf64, #DCD>
  %dcc = sparse_tensor.convert %dense : tensor<3x2x4xf64> to tensor<3x2x4xf64, #DCC>
  sparse_tensor.print %dcc : tensor<3x2x4xf64, #DCC>
  %dcc_back = sparse_tensor.convert %dcc : tensor<3x2x4xf64, #DCC> to tensor<3x2x4xf64>
  %dcc_all = vector.transfer_read %dcc_back[%c0, %c0, %c0], %zero : tensor<3x2x4xf64>, vector<3x2x4xf64>
  vector.print %dcc_all : vector<3x2x4xf64>
  bufferization.dealloc_tensor %dcc : tensor<3x2x4xf64, #DCC>
  return
}
