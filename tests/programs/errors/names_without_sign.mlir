// A result's name without its `%` is told once, and not again where it is used.
func.func @f() -> f64 {
  // expected-error@+1 {{expected an operation, found `1`}}
  1 = arith.constant 1.0 : f64
  // expected-error@+1 {{a value's name begins with `%`: `%two`}}
  two = arith.constant 2.0 : f64
  %3 = arith.addf %1, %two : f64
  return %3 : f64
}
