// The greatest entry.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#all = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
  iterator_types = ["reduction"]
}

func.func @main() {
  %a = arith.constant sparse<[[1], [4], [6]], [3, -2, 5]> : tensor<8xi32>
  %s = sparse_tensor.convert %a : tensor<8xi32> to tensor<8xi32, #V>
  %i = arith.constant dense<-100> : tensor<i32>
  %r = linalg.generic #all ins(%s : tensor<8xi32, #V>) outs(%i : tensor<i32>) {
    ^bb0(%x: i32, %o: i32):
      %n = arith.maxsi %o, %x : i32
      linalg.yield %n : i32
  } -> tensor<i32>
  %v = tensor.extract %r[] : tensor<i32>
  vector.print %v : i32
  return
}
