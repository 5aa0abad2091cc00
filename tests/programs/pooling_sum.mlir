// Sums of windows.
#S4 = #sparse_tensor.encoding<{ map = (d0, d1, d2, d3) -> (d0 : compressed, d1 : compressed, d2 : compressed, d3 : compressed) }>
module {
  func.func @pool(%i: tensor<1x4x4x1xf32, #S4>, %k: tensor<2x2xf32>) -> tensor<1x3x3x1xf32> {
    %e = tensor.empty() : tensor<1x3x3x1xf32>
    %z = arith.constant 0.0 : f32
    %o = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
    %0 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%i, %k : tensor<1x4x4x1xf32, #S4>, tensor<2x2xf32>) outs(%o : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
    return %0 : tensor<1x3x3x1xf32>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %i = arith.constant dense<[[[[1.0],[0.0],[2.0],[0.0]],[[0.0],[3.0],[0.0],[0.0]],[[4.0],[0.0],[0.0],[5.0]],[[0.0],[6.0],[7.0],[0.0]]]]> : tensor<1x4x4x1xf32>
    %is = sparse_tensor.convert %i : tensor<1x4x4x1xf32> to tensor<1x4x4x1xf32, #S4>
    %k = tensor.empty() : tensor<2x2xf32>
    %0 = call @pool(%is, %k) : (tensor<1x4x4x1xf32, #S4>, tensor<2x2xf32>) -> tensor<1x3x3x1xf32>
    %v = vector.transfer_read %0[%c0, %c0, %c0, %c0], %f0 : tensor<1x3x3x1xf32>, vector<1x3x3x1xf32>
    vector.print %v : vector<1x3x3x1xf32>
    return
  }
}
