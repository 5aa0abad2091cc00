#E = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compresed) }>
func.func private @f(tensor<8x8xf64, #E>)
