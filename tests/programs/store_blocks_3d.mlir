// Blocks of 2x2x2 in three dimensions.
#B = #sparse_tensor.encoding<{ map = (i, j, k) -> (i floordiv 2 : compressed, j floordiv 2 : compressed, k floordiv 2 : compressed,
           i mod 2 : dense, j mod 2 : dense, k mod 2 : dense) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[[0.0, 1.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 4.0]], [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]]> : tensor<4x4x4xf64>
  %b = sparse_tensor.convert %dense : tensor<4x4x4xf64> to tensor<4x4x4xf64, #B>
  sparse_tensor.print %b : tensor<4x4x4xf64, #B>
  %b_back = sparse_tensor.convert %b : tensor<4x4x4xf64, #B> to tensor<4x4x4xf64>
  %b_all = vector.transfer_read %b_back[%c0, %c0, %c0], %zero : tensor<4x4x4xf64>, vector<4x4x4xf64>
  vector.print %b_all : vector<4x4x4xf64>
  bufferization.dealloc_tensor %b : tensor<4x4x4xf64, #B>
  return
}
