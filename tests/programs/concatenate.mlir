// Matrices one below the other, and side by side.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>
#DCSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>

module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f64
    %a = arith.constant dense<[[1.0, 0.0], [0.0, 2.0]]> : tensor<2x2xf64>
    %b = arith.constant dense<[[0.0, 3.0], [4.0, 0.0], [5.0, 6.0]]> : tensor<3x2xf64>
    %c = arith.constant dense<[[0.0, 0.0, 7.0], [0.0, 8.0, 0.0]]> : tensor<2x3xf64>
    %as = sparse_tensor.convert %a : tensor<2x2xf64> to tensor<2x2xf64, #CSR>
    %bs = sparse_tensor.convert %b : tensor<3x2xf64> to tensor<3x2xf64, #CSC>
    %cs = sparse_tensor.convert %c : tensor<2x3xf64> to tensor<2x3xf64, #DCSR>
    %0 = sparse_tensor.concatenate %as, %bs {dimension = 0 : index}
      : tensor<2x2xf64, #CSR>, tensor<3x2xf64, #CSC> to tensor<5x2xf64, #DCSR>
    sparse_tensor.print %0 : tensor<5x2xf64, #DCSR>
    %1 = sparse_tensor.concatenate %as, %cs {dimension = 1 : index}
      : tensor<2x2xf64, #CSR>, tensor<2x3xf64, #DCSR> to tensor<2x5xf64, #CSR>
    sparse_tensor.print %1 : tensor<2x5xf64, #CSR>
    %2 = sparse_tensor.concatenate %a, %cs {dimension = 1 : index}
      : tensor<2x2xf64>, tensor<2x3xf64, #DCSR> to tensor<2x5xf64>
    %v = vector.transfer_read %2[%c0, %c0], %f0 : tensor<2x5xf64>, vector<2x5xf64>
    vector.print %v : vector<2x5xf64>
    return
  }
}
