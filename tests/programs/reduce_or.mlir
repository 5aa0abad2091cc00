// All bits that any entry has.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#all = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
  iterator_types = ["reduction"]
}

func.func @main() {
  %a = arith.constant sparse<[[1], [4], [6]], [3, -2, 5]> : tensor<8xi8>
  %s = sparse_tensor.convert %a : tensor<8xi8> to tensor<8xi8, #V>
  %i = arith.constant dense<0> : tensor<i8>
  %r = linalg.generic #all ins(%s : tensor<8xi8, #V>) outs(%i : tensor<i8>) {
    ^bb0(%x: i8, %o: i8):
      %n = arith.ori %o, %x : i8
      linalg.yield %n : i8
  } -> tensor<i8>
  %v = tensor.extract %r[] : tensor<i8>
  vector.print %v : i8
  return
}
