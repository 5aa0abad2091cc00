// An entry that may repeat is not added onto the zero of a dense result: -1 times 0 is -0, as of any other format.
#N = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(nonunique)) }>
#D = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>
func.func @main() {
  %a0 = arith.constant sparse<[[0], [2]], [-1.0, 2.0]> : tensor<4xf64>
  %a = sparse_tensor.convert %a0 : tensor<4xf64> to tensor<4xf64, #N>
  %b = arith.constant dense<[0.0, 1.0, -0.0, 3.0]> : tensor<4xf64>
  %y = tensor.empty() : tensor<4xf64, #D>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%a, %b : tensor<4xf64, #N>, tensor<4xf64>) outs(%y : tensor<4xf64, #D>) {
  ^bb0(%p: f64, %q: f64, %o: f64):
    %m = arith.mulf %p, %q : f64
    linalg.yield %m : f64
  } -> tensor<4xf64, #D>
  sparse_tensor.print %r : tensor<4xf64, #D>
  return
}
