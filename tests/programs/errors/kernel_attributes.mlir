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
  %x = arith.constant dense<1.0> : tensor<1x4x4x1xf64>
  %w = arith.constant dense<1.0> : tensor<2x2xf64>
  %o = arith.constant dense<0.0> : tensor<1x2x2x1xf64>
  // expected-error@+1 {{`strides` of `linalg.pooling_nhwc_sum` are 2, one for each dimension of the window}}
  %r7 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 2, 9]> : tensor<3xi64>} ins(%x, %w : tensor<1x4x4x1xf64>, tensor<2x2xf64>) outs(%o : tensor<1x2x2x1xf64>) -> tensor<1x2x2x1xf64>
  // expected-error@+1 {{`dilations` of `linalg.pooling_nhwc_max` are 2, one for each dimension of the window}}
  %r8 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x4x4x1xf64>, tensor<2x2xf64>) outs(%o : tensor<1x2x2x1xf64>) -> tensor<1x2x2x1xf64>
  // expected-error@+1 {{`value` is written twice}}
  %twice = "arith.constant"() {value = 1.0 : f64, value = 2.0 : f64} : () -> f64
  return
}
