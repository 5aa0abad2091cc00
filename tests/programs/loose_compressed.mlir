// library
// Segments with a start and an end of their own.
#LC = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : loose_compressed) }>
module {
  func.func @main() {
    %a = arith.constant dense<[[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 5.0, 0.0]]> : tensor<3x3xf64>
    %0 = sparse_tensor.convert %a : tensor<3x3xf64> to tensor<3x3xf64, #LC>
    sparse_tensor.print %0 : tensor<3x3xf64, #LC>
    return
  }
}
