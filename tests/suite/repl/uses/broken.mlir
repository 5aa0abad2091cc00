#Good = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#Bad = #sparse_tensor.encoding<{ map = (i, j) -> (i : densee, j : compressed) }>
