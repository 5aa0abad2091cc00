// differs: MLIR 22 stores two values in a block of one
// A zero in a structured level is no entry: the block has room for the one that is.
#D = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : dense) }>
#S = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 2 : dense, j mod 2 : structured[1, 2]) }>
func.func @main() {
  %a = arith.constant dense<[[2.0, 0.0]]> : tensor<1x2xf64>
  %d = sparse_tensor.convert %a : tensor<1x2xf64> to tensor<1x2xf64, #D>
  %s = sparse_tensor.convert %d : tensor<1x2xf64, #D> to tensor<1x2xf64, #S>
  sparse_tensor.print %s : tensor<1x2xf64, #S>
  return
}
