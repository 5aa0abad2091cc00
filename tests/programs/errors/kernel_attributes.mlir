// Attributes of `linalg.generic` of other kinds.
func.func @main() {
  %t = arith.constant dense<1.0> : tensor<4xf64>
  // expected-error@+1 {{unknown iterator type `window`}}
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["window"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{unknown iterator type `window`}}
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [#linalg.iterator_type<window>]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{`doc` is a text in quotes}}
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"], doc = 3} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{`doc` is a text in quotes}}
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"], doc} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{`library_call` is a text in quotes}}
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"], library_call = 3} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{`library_call` is a text in quotes}}
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"], library_call = @dot} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{an iterator type stands in quotes}}
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [parallel]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  return
}
