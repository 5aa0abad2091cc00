// The product of two sparse matrices, sparse.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @main() {
  %a = arith.constant sparse<[[0, 0], [0, 3], [1, 1], [3, 2]], [1.0, 2.0, 3.0, 4.0]> : tensor<4x4xf64>
  %b = arith.constant sparse<[[0, 1], [1, 2], [2, 0], [2, 3], [3, 3]], [5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<4x4xf64>
  %s = sparse_tensor.convert %a : tensor<4x4xf64> to tensor<4x4xf64, #CSR>
  %t = sparse_tensor.convert %b : tensor<4x4xf64> to tensor<4x4xf64, #CSR>
  %e = tensor.empty() : tensor<4x4xf64, #CSR>
  %r = linalg.matmul ins(%s, %t : tensor<4x4xf64, #CSR>, tensor<4x4xf64, #CSR>) outs(%e : tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR>
  sparse_tensor.print %r : tensor<4x4xf64, #CSR>
  bufferization.dealloc_tensor %r : tensor<4x4xf64, #CSR>
  return
}
