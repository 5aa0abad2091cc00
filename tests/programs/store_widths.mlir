// Positions and coordinates of 8, 16, 32 and 64 bits.
#W8 = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 8, crdWidth = 8 }>
#W16 = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed), posWidth = 16, crdWidth = 32 }>
#W32 = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed), posWidth = 32, crdWidth = 32 }>
#W64 = #sparse_tensor.encoding<{ map = (i, j) -> (j : compressed, i : compressed), posWidth = 64, crdWidth = 64 }>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton), posWidth = 32, crdWidth = 32 }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %dense = arith.constant dense<[[0.0, 1.0, 2.0, 0.0, 3.0], [0.0, 0.0, 4.0, 0.0, 0.0], [5.0, 6.0, 0.0, 0.0, 0.0], [7.0, 8.0, 9.0, 0.0, 0.0]]> : tensor<4x5xf32>
  %w8 = sparse_tensor.convert %dense : tensor<4x5xf32> to tensor<4x5xf32, #W8>
  sparse_tensor.print %w8 : tensor<4x5xf32, #W8>
  %w8_back = sparse_tensor.convert %w8 : tensor<4x5xf32, #W8> to tensor<4x5xf32>
  %w8_all = vector.transfer_read %w8_back[%c0, %c0], %zero : tensor<4x5xf32>, vector<4x5xf32>
  vector.print %w8_all : vector<4x5xf32>
  bufferization.dealloc_tensor %w8 : tensor<4x5xf32, #W8>
  %w16 = sparse_tensor.convert %dense : tensor<4x5xf32> to tensor<4x5xf32, #W16>
  sparse_tensor.print %w16 : tensor<4x5xf32, #W16>
  %w16_back = sparse_tensor.convert %w16 : tensor<4x5xf32, #W16> to tensor<4x5xf32>
  %w16_all = vector.transfer_read %w16_back[%c0, %c0], %zero : tensor<4x5xf32>, vector<4x5xf32>
  vector.print %w16_all : vector<4x5xf32>
  bufferization.dealloc_tensor %w16 : tensor<4x5xf32, #W16>
  %w32 = sparse_tensor.convert %dense : tensor<4x5xf32> to tensor<4x5xf32, #W32>
  sparse_tensor.print %w32 : tensor<4x5xf32, #W32>
  %w32_back = sparse_tensor.convert %w32 : tensor<4x5xf32, #W32> to tensor<4x5xf32>
  %w32_all = vector.transfer_read %w32_back[%c0, %c0], %zero : tensor<4x5xf32>, vector<4x5xf32>
  vector.print %w32_all : vector<4x5xf32>
  bufferization.dealloc_tensor %w32 : tensor<4x5xf32, #W32>
  %w64 = sparse_tensor.convert %dense : tensor<4x5xf32> to tensor<4x5xf32, #W64>
  sparse_tensor.print %w64 : tensor<4x5xf32, #W64>
  %w64_back = sparse_tensor.convert %w64 : tensor<4x5xf32, #W64> to tensor<4x5xf32>
  %w64_all = vector.transfer_read %w64_back[%c0, %c0], %zero : tensor<4x5xf32>, vector<4x5xf32>
  vector.print %w64_all : vector<4x5xf32>
  bufferization.dealloc_tensor %w64 : tensor<4x5xf32, #W64>
  %coo = sparse_tensor.convert %dense : tensor<4x5xf32> to tensor<4x5xf32, #COO>
  sparse_tensor.print %coo : tensor<4x5xf32, #COO>
  %coo_back = sparse_tensor.convert %coo : tensor<4x5xf32, #COO> to tensor<4x5xf32>
  %coo_all = vector.transfer_read %coo_back[%c0, %c0], %zero : tensor<4x5xf32>, vector<4x5xf32>
  vector.print %coo_all : vector<4x5xf32>
  bufferization.dealloc_tensor %coo : tensor<4x5xf32, #COO>
  return
}
