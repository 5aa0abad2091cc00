#A = #sparse_tensor.encoding<{
  dimLevelType = ["dense", "compressed-nu-no"],
  dimOrdering = affine_map<(i, j) -> (j, i)>,
  pointerBitWidth = 32,
  indexBitWidth = 32
}>
#B = #sparse_tensor<encoding<{ map = (i) -> (i : compressed) }>>
#C = #sparse_tensor.encoding<{ map = [c](i, j) -> (c * 2 * i : dense, i : dense, j : compressed) }>
#D = #sparse_tensor.encoding<{
  map = {l0, l1}(i = l0, j = l1) -> (l0 = i : dense, l1 = j : compressed)
}>
