// Five of every eight entries, with coordinates of 8 bits.
#NM = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j floordiv 8 : dense, j mod 8 : structured[5, 8]), crdWidth = 8
}>

func.func @main() {
  %d = arith.constant dense<[[1.0, 2.0, 0.0, 3.0, 0.0, 4.0, 0.0, 5.0], [0.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 0.0]]> : tensor<2x8xf64>
  %a = sparse_tensor.convert %d : tensor<2x8xf64> to tensor<2x8xf64, #NM>
  sparse_tensor.print %a : tensor<2x8xf64, #NM>
  bufferization.dealloc_tensor %a : tensor<2x8xf64, #NM>
  return
}
