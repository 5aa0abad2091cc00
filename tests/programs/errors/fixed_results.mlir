// Results of a type that the operation fixes.
func.func @index(%a: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : tensor<4xf64>) {
  ^bb0(%o: f64):
    // expected-error@+1 {{`linalg.index` gives `index`, and this is `i64`}}
    %i = linalg.index 0 : i64
    linalg.yield %o : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}
