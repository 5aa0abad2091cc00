// The same with batches and channels.
#S = #sparse_tensor.encoding<{ map = (n, d, h, w, c) -> (n : dense, d : compressed, h : compressed, w : compressed, c : dense) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %d = arith.constant dense<[[[[[1.0], [0.0], [2.0]], [[0.0], [0.0], [0.0]], [[0.0], [3.0], [0.0]]], [[[0.0], [0.0], [0.0]], [[4.0], [0.0], [0.0]], [[0.0], [0.0], [5.0]]], [[[0.0], [6.0], [0.0]], [[0.0], [0.0], [0.0]], [[7.0], [0.0], [8.0]]]]]> : tensor<1x3x3x3x1xf32>
  %f = arith.constant dense<[[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]], [[[[5.0]], [[6.0]]], [[[7.0]], [[8.0]]]]]> : tensor<2x2x2x1x1xf32>
  %o = arith.constant dense<0.0> : tensor<1x2x2x2x1xf32>
  %s = sparse_tensor.convert %d : tensor<1x3x3x3x1xf32> to tensor<1x3x3x3x1xf32, #S>
  %r = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%s, %f : tensor<1x3x3x3x1xf32, #S>, tensor<2x2x2x1x1xf32>) outs(%o : tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32>
  %v = vector.transfer_read %r[%c0, %c0, %c0, %c0, %c0], %zero : tensor<1x2x2x2x1xf32>, vector<1x2x2x2x1xf32>
  vector.print %v : vector<1x2x2x2x1xf32>
  return
}
