func.func private @use(%a: i32 {nnz.note = "𝒳𝒴𝒵"}, %A: tensor<8x8xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : densee, j : compressed) }>>)
