// The arrays of blocks, read as a tensor of four dimensions.
#BSR = #sparse_tensor.encoding<{
  map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)
}>
#Four = #sparse_tensor.encoding<{ map = (i, j, k, l) -> (i : dense, j : compressed, k : dense, l : dense) }>

func.func @main() {
  %d = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 3.0], [0.0, 0.0, 4.0, 5.0]]> : tensor<4x4xf64>
  %a = sparse_tensor.convert %d : tensor<4x4xf64> to tensor<4x4xf64, #BSR>
  %b = sparse_tensor.reinterpret_map %a : tensor<4x4xf64, #BSR> to tensor<2x2x2x2xf64, #Four>
  sparse_tensor.print %b : tensor<2x2x2x2xf64, #Four>
  %e = sparse_tensor.convert %b : tensor<2x2x2x2xf64, #Four> to tensor<2x2x2x2xf64>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %v = vector.transfer_read %e[%c0, %c0, %c0, %c0], %zero : tensor<2x2x2x2xf64>, vector<2x2x2x2xf64>
  vector.print %v : vector<2x2x2x2xf64>
  return
}
