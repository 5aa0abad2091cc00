// differs: MLIR 22 loses entries of blocks that do not divide the shape
// A conversion keeps what is stored: the zeros of blocks and of levels that are all dense, but not the padding of
// blocks that reach beyond the shape.
#BSR = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#All = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>

func.func @main() {
  %a = arith.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf64>
  %s = sparse_tensor.convert %a : tensor<3x3xf64> to tensor<3x3xf64, #BSR>
  %t = sparse_tensor.convert %s : tensor<3x3xf64, #BSR> to tensor<3x3xf64, #CSR>
  sparse_tensor.print %t : tensor<3x3xf64, #CSR>
  %v = arith.constant dense<[0.0, 4.0, 0.0]> : tensor<3xf64>
  %d = sparse_tensor.convert %v : tensor<3xf64> to tensor<3xf64, #All>
  %c = sparse_tensor.convert %d : tensor<3xf64, #All> to tensor<3xf64, #V>
  sparse_tensor.print %c : tensor<3xf64, #V>
  %e = sparse_tensor.convert %v : tensor<3xf64> to tensor<3xf64, #V>
  sparse_tensor.print %e : tensor<3xf64, #V>
  return
}
