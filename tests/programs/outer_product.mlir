// Two vectors, every entry with every other.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#DCSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#outer = {
  indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
  iterator_types = ["parallel", "parallel"]
}

func.func @main() {
  %a = arith.constant sparse<[[0], [3]], [2.0, 3.0]> : tensor<4xf64>
  %b = arith.constant sparse<[[1], [2]], [4.0, 5.0]> : tensor<5xf64>
  %s = sparse_tensor.convert %a : tensor<4xf64> to tensor<4xf64, #V>
  %t = sparse_tensor.convert %b : tensor<5xf64> to tensor<5xf64, #V>
  %e = tensor.empty() : tensor<4x5xf64, #DCSR>
  %r = linalg.generic #outer ins(%s, %t : tensor<4xf64, #V>, tensor<5xf64, #V>) outs(%e : tensor<4x5xf64, #DCSR>) {
    ^bb0(%x: f64, %y: f64, %o: f64):
      %p = arith.mulf %x, %y : f64
      linalg.yield %p : f64
  } -> tensor<4x5xf64, #DCSR>
  sparse_tensor.print %r : tensor<4x5xf64, #DCSR>
  bufferization.dealloc_tensor %r : tensor<4x5xf64, #DCSR>
  return
}
