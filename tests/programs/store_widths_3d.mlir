// Positions of 64 bits and coordinates of 32, in three dimensions.
#CCC = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed, j : compressed, k : compressed), posWidth = 64, crdWidth = 32 }>
#DDC = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : dense, k : compressed), posWidth = 64, crdWidth = 32 }>
#DCD = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : compressed, k : dense), posWidth = 64, crdWidth = 32 }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %dense = arith.constant dense<[[[0, 0, 0], [1, 0, 0], [0, 2, 0]], [[3, 4, 0], [0, 5, 0], [0, 6, 7]]]> : tensor<2x3x3xi32>
  %ccc = sparse_tensor.convert %dense : tensor<2x3x3xi32> to tensor<2x3x3xi32, #CCC>
  sparse_tensor.print %ccc : tensor<2x3x3xi32, #CCC>
  %ccc_back = sparse_tensor.convert %ccc : tensor<2x3x3xi32, #CCC> to tensor<2x3x3xi32>
  %ccc_all = vector.transfer_read %ccc_back[%c0, %c0, %c0], %zero : tensor<2x3x3xi32>, vector<2x3x3xi32>
  vector.print %ccc_all : vector<2x3x3xi32>
  bufferization.dealloc_tensor %ccc : tensor<2x3x3xi32, #CCC>
  %ddc = sparse_tensor.convert %dense : tensor<2x3x3xi32> to tensor<2x3x3xi32, #DDC>
  sparse_tensor.print %ddc : tensor<2x3x3xi32, #DDC>
  %ddc_back = sparse_tensor.convert %ddc : tensor<2x3x3xi32, #DDC> to tensor<2x3x3xi32>
  %ddc_all = vector.transfer_read %ddc_back[%c0, %c0, %c0], %zero : tensor<2x3x3xi32>, vector<2x3x3xi32>
  vector.print %ddc_all : vector<2x3x3xi32>
  bufferization.dealloc_tensor %ddc : tensor<2x3x3xi32, #DDC>
  %dcd = sparse_tensor.convert %dense : tensor<2x3x3xi32> to tensor<2x3x3xi32, #DCD>
  sparse_tensor.print %dcd : tensor<2x3x3xi32, #DCD>
  %dcd_back = sparse_tensor.convert %dcd : tensor<2x3x3xi32, #DCD> to tensor<2x3x3xi32>
  %dcd_all = vector.transfer_read %dcd_back[%c0, %c0, %c0], %zero : tensor<2x3x3xi32>, vector<2x3x3xi32>
  vector.print %dcd_all : vector<2x3x3xi32>
  bufferization.dealloc_tensor %dcd : tensor<2x3x3xi32, #DCD>
  return
}
