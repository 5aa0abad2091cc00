// The bits that an odd number of entries has.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#all = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
  iterator_types = ["reduction"]
}

func.func @main() {
  %a = arith.constant sparse<[[1], [4], [6]], [3, -2, 5]> : tensor<8xi64>
  %s = sparse_tensor.convert %a : tensor<8xi64> to tensor<8xi64, #V>
  %i = arith.constant dense<0> : tensor<i64>
  %r = linalg.generic #all ins(%s : tensor<8xi64, #V>) outs(%i : tensor<i64>) {
    ^bb0(%x: i64, %o: i64):
      %n = arith.xori %o, %x : i64
      linalg.yield %n : i64
  } -> tensor<i64>
  %v = tensor.extract %r[] : tensor<i64>
  vector.print %v : i64
  return
}
