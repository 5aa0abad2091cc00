// A convolution of one dimension with batches and channels.
#CSF = #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : compressed, d1 : compressed, d2 : compressed) }>
module {
  func.func @conv(%i: tensor<2x6x1xf32>, %k: tensor<3x1x1xf32, #CSF>) -> tensor<2x4x1xf32> {
    %e = tensor.empty() : tensor<2x4x1xf32>
    %z = arith.constant 0.0 : f32
    %o = linalg.fill ins(%z : f32) outs(%e : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %0 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%i, %k : tensor<2x6x1xf32>, tensor<3x1x1xf32, #CSF>) outs(%o : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    return %0 : tensor<2x4x1xf32>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %in = arith.constant dense<[[[1.0], [2.0], [0.0], [4.0], [5.0], [6.0]], [[0.5], [0.0], [1.5], [0.0], [2.5], [0.0]]]> : tensor<2x6x1xf32>
    %k = arith.constant dense<[[[2.0]], [[0.0]], [[-1.0]]]> : tensor<3x1x1xf32>
    %ks = sparse_tensor.convert %k : tensor<3x1x1xf32> to tensor<3x1x1xf32, #CSF>
    %0 = call @conv(%in, %ks) : (tensor<2x6x1xf32>, tensor<3x1x1xf32, #CSF>) -> tensor<2x4x1xf32>
    %v = vector.transfer_read %0[%c0, %c0, %c0], %f0 : tensor<2x4x1xf32>, vector<2x4x1xf32>
    vector.print %v : vector<2x4x1xf32>
    return
  }
}
