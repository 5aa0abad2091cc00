// Two results of one float; in a kernel too, where the sine of an absent value is absent, and the cosine is 1.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#at = affine_map<(i) -> (i)>
func.func @main() {
  %x = arith.constant 0.5 : f64
  %sin, %cos = math.sincos %x : f64
  vector.print %sin : f64
  vector.print %cos : f64
  %y = arith.constant 0.5 : f32
  %fast:2 = math.sincos %y fastmath<contract> : f32
  vector.print %fast#0 : f32
  vector.print %fast#1 : f32
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
