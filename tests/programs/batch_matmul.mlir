// Products of batches of matrices.
#D2C = #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : dense, d1 : dense, d2 : compressed) }>
module {
  func.func @f(%a: tensor<2x2x3xf64, #D2C>, %b: tensor<2x3x2xf64>, %c: tensor<2x2x2xf64>) -> tensor<2x2x2xf64> {
    %0 = linalg.batch_matmul ins(%a, %b : tensor<2x2x3xf64, #D2C>, tensor<2x3x2xf64>) outs(%c : tensor<2x2x2xf64>) -> tensor<2x2x2xf64>
    return %0 : tensor<2x2x2xf64>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f64
    %m = arith.constant dense<[[[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]], [[0.0, 4.0, 0.0], [5.0, 0.0, 0.0]]]> : tensor<2x2x3xf64>
    %n = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[6.0, 5.0], [4.0, 3.0], [2.0, 1.0]]]> : tensor<2x3x2xf64>
    %z = arith.constant dense<0.0> : tensor<2x2x2xf64>
    %a = sparse_tensor.convert %m : tensor<2x2x3xf64> to tensor<2x2x3xf64, #D2C>
    %0 = call @f(%a, %n, %z) : (tensor<2x2x3xf64, #D2C>, tensor<2x3x2xf64>, tensor<2x2x2xf64>) -> tensor<2x2x2xf64>
    %v = vector.transfer_read %0[%c0, %c0, %c0], %f0 : tensor<2x2x2xf64>, vector<2x2x2xf64>
    vector.print %v : vector<2x2x2xf64>
    return
  }
}
