// differs: MLIR 22 ends with an unresolved materialization
// Two results of one float in a kernel, where the sine of an absent value is absent, and the cosine is 1.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#at = affine_map<(i) -> (i)>
func.func @main() {
  %d = arith.constant dense<[0.0, 1.0, 0.0]> : tensor<3xf64>
  %a = sparse_tensor.convert %d : tensor<3xf64> to tensor<3xf64, #V>
  %e = tensor.empty() : tensor<3xf64, #V>
  %s = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
      ins(%a : tensor<3xf64, #V>) outs(%e : tensor<3xf64, #V>) {
    ^bb0(%p: f64, %o: f64):
      %u, %v = math.sincos %p : f64
      linalg.yield %u : f64
  } -> tensor<3xf64, #V>
  sparse_tensor.print %s : tensor<3xf64, #V>
  %t = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
      ins(%a : tensor<3xf64, #V>) outs(%e : tensor<3xf64, #V>) {
    ^bb0(%p: f64, %o: f64):
      %u, %v = math.sincos %p : f64
      linalg.yield %v : f64
  } -> tensor<3xf64, #V>
  sparse_tensor.print %t : tensor<3xf64, #V>
  return
}
