// linalg.matmul with dense and sparse operands and results.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#DCSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>

module {
  func.func @dense_sparse(%a: tensor<4x3xf64>, %b: tensor<3x4xf64, #CSR>) -> tensor<4x4xf64> {
    %e = tensor.empty() : tensor<4x4xf64>
    %z = arith.constant 0.0 : f64
    %c = linalg.fill ins(%z : f64) outs(%e : tensor<4x4xf64>) -> tensor<4x4xf64>
    %0 = linalg.matmul ins(%a, %b : tensor<4x3xf64>, tensor<3x4xf64, #CSR>) outs(%c : tensor<4x4xf64>) -> tensor<4x4xf64>
    return %0 : tensor<4x4xf64>
  }
  func.func @sparse_sparse(%a: tensor<4x3xf64, #CSR>, %b: tensor<3x4xf64, #CSR>) -> tensor<4x4xf64, #CSR> {
    %c = tensor.empty() : tensor<4x4xf64, #CSR>
    %0 = linalg.matmul ins(%a, %b : tensor<4x3xf64, #CSR>, tensor<3x4xf64, #CSR>)
      outs(%c : tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR>
    return %0 : tensor<4x4xf64, #CSR>
  }
  func.func @dcsr(%a: tensor<4x3xf64, #DCSR>, %b: tensor<3x4xf64, #DCSR>) -> tensor<4x4xf64, #DCSR> {
    %c = tensor.empty() : tensor<4x4xf64, #DCSR>
    %0 = linalg.matmul ins(%a, %b : tensor<4x3xf64, #DCSR>, tensor<3x4xf64, #DCSR>)
      outs(%c : tensor<4x4xf64, #DCSR>) -> tensor<4x4xf64, #DCSR>
    return %0 : tensor<4x4xf64, #DCSR>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant -1.0 : f64
    %a = arith.constant dense<[[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 0.0], [4.0, 5.0, 6.0]]> : tensor<4x3xf64>
    %b = arith.constant dense<[[0.0, 1.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.5], [0.0, 0.0, 0.0, 3.0]]> : tensor<3x4xf64>
    %as = sparse_tensor.convert %a : tensor<4x3xf64> to tensor<4x3xf64, #CSR>
    %bs = sparse_tensor.convert %b : tensor<3x4xf64> to tensor<3x4xf64, #CSR>
    %ad = sparse_tensor.convert %a : tensor<4x3xf64> to tensor<4x3xf64, #DCSR>
    %bd = sparse_tensor.convert %b : tensor<3x4xf64> to tensor<3x4xf64, #DCSR>
    %0 = call @dense_sparse(%a, %bs) : (tensor<4x3xf64>, tensor<3x4xf64, #CSR>) -> tensor<4x4xf64>
    %v = vector.transfer_read %0[%c0, %c0], %f0 : tensor<4x4xf64>, vector<4x4xf64>
    vector.print %v : vector<4x4xf64>
    %1 = call @sparse_sparse(%as, %bs) : (tensor<4x3xf64, #CSR>, tensor<3x4xf64, #CSR>) -> tensor<4x4xf64, #CSR>
    sparse_tensor.print %1 : tensor<4x4xf64, #CSR>
    %2 = call @dcsr(%ad, %bd) : (tensor<4x3xf64, #DCSR>, tensor<3x4xf64, #DCSR>) -> tensor<4x4xf64, #DCSR>
    sparse_tensor.print %2 : tensor<4x4xf64, #DCSR>
    return
  }
}
