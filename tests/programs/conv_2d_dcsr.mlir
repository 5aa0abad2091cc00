// A sparse filter over a dense and over a sparse image.
#DCSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>
module {
  func.func @conv(%i: tensor<6x6xi32>, %k: tensor<3x3xi32, #DCSR>) -> tensor<4x4xi32> {
    %e = tensor.empty() : tensor<4x4xi32>
    %z = arith.constant 0 : i32
    %o = linalg.fill ins(%z : i32) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
    %0 = linalg.conv_2d ins(%i, %k : tensor<6x6xi32>, tensor<3x3xi32, #DCSR>) outs(%o : tensor<4x4xi32>) -> tensor<4x4xi32>
    return %0 : tensor<4x4xi32>
  }
  func.func @conv_all(%i: tensor<6x6xi32, #DCSR>, %k: tensor<3x3xi32, #DCSR>) -> tensor<4x4xi32, #DCSR> {
    %o = tensor.empty() : tensor<4x4xi32, #DCSR>
    %0 = linalg.conv_2d ins(%i, %k : tensor<6x6xi32, #DCSR>, tensor<3x3xi32, #DCSR>)
      outs(%o : tensor<4x4xi32, #DCSR>) -> tensor<4x4xi32, #DCSR>
    return %0 : tensor<4x4xi32, #DCSR>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %i0 = arith.constant 0 : i32
    %filter = arith.constant dense<[[1, 0, -1], [0, 0, 0], [-1, 0, 1]]> : tensor<3x3xi32>
    %image = arith.constant dense<[
      [1, 2, 3, 4, 0, 6], [0, 2, 3, 0, 5, 6], [1, 0, 0, 4, 5, 0],
      [1, 2, 0, 0, 5, 6], [0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6] ]> : tensor<6x6xi32>
    %fs = sparse_tensor.convert %filter : tensor<3x3xi32> to tensor<3x3xi32, #DCSR>
    %is = sparse_tensor.convert %image : tensor<6x6xi32> to tensor<6x6xi32, #DCSR>
    %0 = call @conv(%image, %fs) : (tensor<6x6xi32>, tensor<3x3xi32, #DCSR>) -> tensor<4x4xi32>
    %v = vector.transfer_read %0[%c0, %c0], %i0 : tensor<4x4xi32>, vector<4x4xi32>
    vector.print %v : vector<4x4xi32>
    %1 = call @conv_all(%is, %fs) : (tensor<6x6xi32, #DCSR>, tensor<3x3xi32, #DCSR>) -> tensor<4x4xi32, #DCSR>
    sparse_tensor.print %1 : tensor<4x4xi32, #DCSR>
    return
  }
}
