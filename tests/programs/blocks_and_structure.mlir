// Blocks, and two of four.
#BSR = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>
#NM = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
module {
  func.func @main() {
    %a = arith.constant dense<[
      [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0],
      [0.0, 5.0, 0.0, 6.0, 7.0, 8.0, 0.0, 0.0] ]> : tensor<2x8xf64>
    %0 = sparse_tensor.convert %a : tensor<2x8xf64> to tensor<2x8xf64, #BSR>
    %1 = sparse_tensor.convert %a : tensor<2x8xf64> to tensor<2x8xf64, #NM>
    sparse_tensor.print %0 : tensor<2x8xf64, #BSR>
    sparse_tensor.print %1 : tensor<2x8xf64, #NM>
    return
  }
}
