// Integers of 8 bits with zero points, summed in 32 bits.
#DCSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>
module {
  func.func @q(%a: tensor<3x4xi8>, %b: tensor<4x2xi8, #DCSR>, %o: tensor<3x2xi32>) -> tensor<3x2xi32> {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %0 = linalg.quantized_matmul ins(%a, %b, %c2, %c0 : tensor<3x4xi8>, tensor<4x2xi8, #DCSR>, i32, i32)
      outs(%o : tensor<3x2xi32>) -> tensor<3x2xi32>
    return %0 : tensor<3x2xi32>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %i0 = arith.constant 0 : i32
    %a = arith.constant dense<[[1, 2, 3, 4], [-5, 6, 0, 127], [0, 0, -128, 2]]> : tensor<3x4xi8>
    %b = arith.constant dense<[[1, 0], [0, -2], [3, 0], [0, 4]]> : tensor<4x2xi8>
    %bs = sparse_tensor.convert %b : tensor<4x2xi8> to tensor<4x2xi8, #DCSR>
    %o = arith.constant dense<0> : tensor<3x2xi32>
    %0 = call @q(%a, %bs, %o) : (tensor<3x4xi8>, tensor<4x2xi8, #DCSR>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %v = vector.transfer_read %0[%c0, %c0], %i0 : tensor<3x2xi32>, vector<3x2xi32>
    vector.print %v : vector<3x2xi32>
    return
  }
}
