// Convolutions with strides, in two layouts.
#S4 = #sparse_tensor.encoding<{ map = (d0, d1, d2, d3) -> (d0 : compressed, d1 : compressed, d2 : compressed, d3 : compressed) }>
#CDCC = #sparse_tensor.encoding<{ map = (d0, d1, d2, d3) -> (d0 : compressed, d1 : dense, d2 : compressed, d3 : compressed) }>
module {
  func.func @nhwc(%i: tensor<1x5x5x1xf32, #CDCC>, %k: tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32> {
    %e = tensor.empty() : tensor<1x2x2x1xf32>
    %z = arith.constant 0.0 : f32
    %o = linalg.fill ins(%z : f32) outs(%e : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%i, %k : tensor<1x5x5x1xf32, #CDCC>, tensor<3x3x1x1xf32>) outs(%o : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
    return %0 : tensor<1x2x2x1xf32>
  }
  func.func @nchw(%i: tensor<1x1x5x5xf32, #S4>, %k: tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32> {
    %e = tensor.empty() : tensor<1x1x3x3xf32>
    %z = arith.constant 0.0 : f32
    %o = linalg.fill ins(%z : f32) outs(%e : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
    %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%i, %k : tensor<1x1x5x5xf32, #S4>, tensor<1x1x3x3xf32>) outs(%o : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
    return %0 : tensor<1x1x3x3xf32>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %g = tensor.generate {
      ^bb0(%n: index, %h: index, %w: index, %c: index):
        %s = arith.addi %h, %w : index
        %t = arith.index_cast %s : index to i32
        %u = arith.sitofp %t : i32 to f32
        tensor.yield %u : f32
    } : tensor<1x5x5x1xf32>
    %k1 = arith.constant dense<2.0> : tensor<3x3x1x1xf32>
    %k2 = arith.constant dense<0.5> : tensor<1x1x3x3xf32>
    %g2 = tensor.generate {
      ^bb0(%n: index, %c: index, %h: index, %w: index):
        %s = arith.muli %h, %w : index
        %t = arith.index_cast %s : index to i32
        %u = arith.sitofp %t : i32 to f32
        tensor.yield %u : f32
    } : tensor<1x1x5x5xf32>
    %gs = sparse_tensor.convert %g : tensor<1x5x5x1xf32> to tensor<1x5x5x1xf32, #CDCC>
    %g2s = sparse_tensor.convert %g2 : tensor<1x1x5x5xf32> to tensor<1x1x5x5xf32, #S4>
    %0 = call @nhwc(%gs, %k1) : (tensor<1x5x5x1xf32, #CDCC>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
    %1 = call @nchw(%g2s, %k2) : (tensor<1x1x5x5xf32, #S4>, tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
    %v = vector.transfer_read %0[%c0, %c0, %c0, %c0], %f0 : tensor<1x2x2x1xf32>, vector<1x2x2x1xf32>
    vector.print %v : vector<1x2x2x1xf32>
    %u = vector.transfer_read %1[%c0, %c0, %c0, %c0], %f0 : tensor<1x1x3x3xf32>, vector<1x1x3x3xf32>
    vector.print %u : vector<1x1x3x3xf32>
    return
  }
}
