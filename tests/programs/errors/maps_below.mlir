// Indexing maps that leave their operand at the low end, and such as divide by nothing.
func.func @main() {
  %t = arith.constant dense<1.0> : tensor<4xf64>
  // expected-error@+1 {{the loops reach coordinate -1 in dimension 0 of `%t`, which has size 4}}
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (-1)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{the loops reach coordinate -1}}
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i - 1)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{the loops reach coordinate -3}}
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (-i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{the loops reach coordinate -1}}
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (2 - 3)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{the loops reach coordinate -1}}
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 2 - 1)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{the loops reach coordinate 4}}
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (4 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{an indexing map divides by 0}}
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{an indexing map divides by 0}}
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (3 floordiv 0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{an indexing map divides by 0}}
  %r8 = linalg.generic {indexing_maps = [affine_map<(i) -> (i ceildiv 0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{an indexing map divides by 0}}
  %r9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{an indexing map divides by 0}}
  %r10 = linalg.generic {indexing_maps = [affine_map<(i) -> (3 mod (1 - 1))>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{an indexing map divides by -2}}
  %r11 = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv -2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{an indexing map divides by -2}}
  %r12 = linalg.generic {indexing_maps = [affine_map<(i) -> ((i mod -2) + 1)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  return
}
