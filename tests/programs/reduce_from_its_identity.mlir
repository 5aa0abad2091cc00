// A reduction of a sparse result starts from the identity that is written, however many entries there are.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#M = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#trait = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"] }
func.func @largest(%a: tensor<300x40xf64, #M>) -> tensor<300xf64, #V> {
  %least = arith.constant -64.0 : f64
  %none = tensor.empty() : tensor<300xf64, #V>
  %r = linalg.generic #trait ins(%a : tensor<300x40xf64, #M>) outs(%none : tensor<300xf64, #V>) {
  ^bb0(%x: f64, %y: f64):
    %n = sparse_tensor.reduce %y, %x, %least : f64 {
    ^bb0(%l: f64, %r: f64):
      %m = arith.maximumf %l, %r : f64
      sparse_tensor.yield %m : f64
    }
    linalg.yield %n : f64
  } -> tensor<300xf64, #V>
  return %r : tensor<300xf64, #V>
}
func.func @main() {
  %s = arith.constant sparse<[[0, 1], [7, 0], [7, 39], [299, 3]], [-2.0, -5.0, -1.0, -100.0]> : tensor<300x40xf64>
  %a = sparse_tensor.convert %s : tensor<300x40xf64> to tensor<300x40xf64, #M>
  %r = call @largest(%a) : (tensor<300x40xf64, #M>) -> tensor<300xf64, #V>
  sparse_tensor.print %r : tensor<300xf64, #V>
  return
}
