// The sizes of levels and of dimensions.
#CSC = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>
#BSR = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>
module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %m = arith.constant dense<[[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 3.0]]> : tensor<2x4xf64>
    %a = sparse_tensor.convert %m : tensor<2x4xf64> to tensor<2x4xf64, #CSC>
    %b = sparse_tensor.convert %m : tensor<2x4xf64> to tensor<2x4xf64, #BSR>
    %0 = sparse_tensor.lvl %a, %c0 : tensor<2x4xf64, #CSC>
    %1 = tensor.dim %a, %c0 : tensor<2x4xf64, #CSC>
    %2 = sparse_tensor.lvl %b, %c1 : tensor<2x4xf64, #BSR>
    %3 = sparse_tensor.lvl %b, %c2 : tensor<2x4xf64, #BSR>
    vector.print %0 : index
    vector.print %1 : index
    vector.print %2 : index
    vector.print %3 : index
    return
  }
}
