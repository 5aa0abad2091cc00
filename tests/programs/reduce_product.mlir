// The product of all entries that are stored and of the zeros between them.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#all = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
  iterator_types = ["reduction"]
}

func.func @main() {
  %a = arith.constant sparse<[[1], [4], [6]], [3.0, -2.0, 5.0]> : tensor<8xf64>
  %s = sparse_tensor.convert %a : tensor<8xf64> to tensor<8xf64, #V>
  %i = arith.constant dense<1.0> : tensor<f64>
  %r = linalg.generic #all ins(%s : tensor<8xf64, #V>) outs(%i : tensor<f64>) {
    ^bb0(%x: f64, %o: f64):
      %n = arith.mulf %o, %x : f64
      linalg.yield %n : f64
  } -> tensor<f64>
  %v = tensor.extract %r[] : tensor<f64>
  vector.print %v : f64
  return
}
