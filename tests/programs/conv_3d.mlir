// A convolution of three dimensions over a sparse input.
#S = #sparse_tensor.encoding<{ map = (d, h, w) -> (d : compressed, h : compressed, w : compressed) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %d = arith.constant dense<[[[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 0.0]], [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 5.0]], [[0.0, 6.0, 0.0], [0.0, 0.0, 0.0], [7.0, 0.0, 8.0]]]> : tensor<3x3x3xf32>
  %f = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %o = arith.constant dense<0.0> : tensor<2x2x2xf32>
  %s = sparse_tensor.convert %d : tensor<3x3x3xf32> to tensor<3x3x3xf32, #S>
  %r = linalg.conv_3d ins(%s, %f : tensor<3x3x3xf32, #S>, tensor<2x2x2xf32>) outs(%o : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %v = vector.transfer_read %r[%c0, %c0, %c0], %zero : tensor<2x2x2xf32>, vector<2x2x2xf32>
  vector.print %v : vector<2x2x2xf32>
  return
}
