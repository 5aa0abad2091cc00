// A matrix in the encoding CD times a dense vector.
#CD = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : dense) }>
module {
  func.func @matvec(%a: tensor<3x4xf64, #CD>, %x: tensor<4xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
    %0 = linalg.matvec ins(%a, %x : tensor<3x4xf64, #CD>, tensor<4xf64>) outs(%y : tensor<3xf64>) -> tensor<3xf64>
    return %0 : tensor<3xf64>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f64
    %m = arith.constant dense<[[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 4.0]]> : tensor<3x4xf64>
    %a = sparse_tensor.convert %m : tensor<3x4xf64> to tensor<3x4xf64, #CD>
    %x = arith.constant dense<[1.0, 10.0, 100.0, 1000.0]> : tensor<4xf64>
    %y = arith.constant dense<0.0> : tensor<3xf64>
    %0 = call @matvec(%a, %x, %y) : (tensor<3x4xf64, #CD>, tensor<4xf64>, tensor<3xf64>) -> tensor<3xf64>
    %v = vector.transfer_read %0[%c0], %f0 : tensor<3xf64>, vector<3xf64>
    vector.print %v : vector<3xf64>
    return
  }
}
