// A tensor of eight dimensions, its levels in another order.
#T8 = #sparse_tensor.encoding<{ map = (d0, d1, d2, d3, d4, d5, d6, d7) -> (d7 : compressed, d6 : compressed, d1 : compressed, d2 : compressed, d0 : compressed, d3 : compressed, d4 : compressed, d5 : compressed) }>
module {
  func.func @main() {
    %c = arith.constant sparse<[[0, 1, 0, 1, 0, 2, 1, 2], [1, 0, 1, 0, 1, 0, 0, 0], [1, 2, 0, 0, 0, 1, 1, 2]], [1.5, 2.5, 3.5]> : tensor<2x3x2x2x2x3x2x3xf64>
    %a = sparse_tensor.convert %c : tensor<2x3x2x2x2x3x2x3xf64> to tensor<2x3x2x2x2x3x2x3xf64, #T8>
    sparse_tensor.print %a : tensor<2x3x2x2x2x3x2x3xf64, #T8>
    return
  }
}
