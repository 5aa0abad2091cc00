// Positions and coordinates of 8 and 32 bits.
#CSR32 = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>
#C8 = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed), posWidth = 8, crdWidth = 8 }>
module {
  func.func @main() {
    %a = arith.constant dense<[[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]> : tensor<2x3xf64>
    %0 = sparse_tensor.convert %a : tensor<2x3xf64> to tensor<2x3xf64, #CSR32>
    %1 = sparse_tensor.convert %a : tensor<2x3xf64> to tensor<2x3xf64, #C8>
    sparse_tensor.print %0 : tensor<2x3xf64, #CSR32>
    sparse_tensor.print %1 : tensor<2x3xf64, #C8>
    %c0 = arith.constant 0 : index
    %i0 = arith.constant 0 : i8
    %p = sparse_tensor.positions %1 { level = 1 : index } : tensor<2x3xf64, #C8> to memref<?xi8>
    %pv = vector.transfer_read %p[%c0], %i0 : memref<?xi8>, vector<3xi8>
    vector.print %pv : vector<3xi8>
    return
  }
}
