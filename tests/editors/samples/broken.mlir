// The first encoding has a misspelt level format; the second is right.
#Bad = #sparse_tensor.encoding<{ map = (i, j) -> (j : densee, i : compressed) }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func private @use(%A: tensor<8x8xf64, #CSR>, %B: tensor<8x8xf64, #Bad>)
