// A constant given by its entries, explicit zeros among them.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#DCSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>
#SparseVector = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

module {
  func.func @main() {
    %a = arith.constant sparse<[[0, 1], [2, 0], [2, 3]], [1.0, 0.0, 3.0]> : tensor<3x4xf64>
    %b = arith.constant sparse<[[1], [7], [31]], [-1, 2, -3]> : tensor<32xi32>
    %c = arith.constant sparse<[[1], [7]], [true, true]> : tensor<8xi1>
    %csr = sparse_tensor.convert %a : tensor<3x4xf64> to tensor<3x4xf64, #CSR>
    %dcsr = sparse_tensor.convert %a : tensor<3x4xf64> to tensor<3x4xf64, #DCSR>
    %vec = sparse_tensor.convert %b : tensor<32xi32> to tensor<32xi32, #SparseVector>
    %bits = sparse_tensor.convert %c : tensor<8xi1> to tensor<8xi1, #SparseVector>
    sparse_tensor.print %csr : tensor<3x4xf64, #CSR>
    sparse_tensor.print %dcsr : tensor<3x4xf64, #DCSR>
    sparse_tensor.print %vec : tensor<32xi32, #SparseVector>
    sparse_tensor.print %bits : tensor<8xi1, #SparseVector>
    return
  }
}
