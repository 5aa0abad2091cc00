#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @main() {
  %least = arith.constant 0xFFF0000000000000 : f64
  %a = tensor.empty() : tensor<600000x2xf64>
  %b0 = arith.constant sparse<[[0], [1], [6]], [-3.0, -5.0, -0.5]> : tensor<600001xf64>
  %b = sparse_tensor.convert %b0 : tensor<600001xf64> to tensor<600001xf64, #V>
  %y0 = arith.constant sparse<[[0], [3]], [-4.0, -2.0]> : tensor<600000xf64>
  %y = sparse_tensor.convert %y0 : tensor<600000xf64> to tensor<600000xf64, #V>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%a, %b : tensor<600000x2xf64>, tensor<600001xf64, #V>) outs(%y : tensor<600000xf64, #V>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %s = sparse_tensor.reduce %o, %q, %least : f64 {
        ^bb0(%x: f64, %z: f64):
          %m = arith.maximumf %x, %z : f64
          sparse_tensor.yield %m : f64
      }
      linalg.yield %s : f64
  } -> tensor<600000xf64, #V>
  sparse_tensor.print %r : tensor<600000xf64, #V>
  return
}
