#note = "𝒳𝒴𝒵"  #Wide = #sparse_tensor.encoding<{ map = (i, j) -> (i : densee, j : compressed) }>
