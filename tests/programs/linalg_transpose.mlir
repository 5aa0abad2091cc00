// A transposed dense matrix, and a transposed sparse one.
#DCSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>
#DCSC = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : compressed, d0 : compressed) }>
module {
  func.func @t(%a: tensor<3x4xf64, #DCSR>) -> tensor<4x3xf64, #DCSC> {
    %e = tensor.empty() : tensor<4x3xf64, #DCSC>
    %0 = linalg.transpose ins(%a : tensor<3x4xf64, #DCSR>) outs(%e : tensor<4x3xf64, #DCSC>) permutation = [1, 0]
    return %0 : tensor<4x3xf64, #DCSC>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f64
    %m = arith.constant dense<[[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 4.0]]> : tensor<3x4xf64>
    %e = tensor.empty() : tensor<4x3xf64>
    %d = linalg.transpose ins(%m : tensor<3x4xf64>) outs(%e : tensor<4x3xf64>) permutation = [1, 0]
    %v = vector.transfer_read %d[%c0, %c0], %f0 : tensor<4x3xf64>, vector<4x3xf64>
    vector.print %v : vector<4x3xf64>
    %a = sparse_tensor.convert %m : tensor<3x4xf64> to tensor<3x4xf64, #DCSR>
    %0 = call @t(%a) : (tensor<3x4xf64, #DCSR>) -> tensor<4x3xf64, #DCSC>
    sparse_tensor.print %0 : tensor<4x3xf64, #DCSC>
    return
  }
}
