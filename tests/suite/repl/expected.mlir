// What is wrong here is said by comments, as MLIR's own tests do.
func.func @f(%a: f64) -> f64 {
  // expected-error@+1 {{`%b` is not defined}}
  %c = arith.addf %a, %b : f64
  // expected-error-re@below {{`%{{[a-z]}}` is defined twice}}
  // expected-note@above {{first defined here}}
  %c = arith.mulf %a, %a : f64
  return %d : f64
}
// expected-error {{nothing is wrong here}}
