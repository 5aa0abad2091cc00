// Calls and returns.
func.func @axpy(%a: f64, %x: f64) -> f64 {
  %r = arith.mulf %a, %x : f64
  // expected-error@+1 {{`%r` is `f64`, not `f32`}}
  return %r : f32
}
func.func @main() {
  %a = arith.constant 1.0 : f64
  // expected-error@+1 {{`@axpy` takes 2 arguments, and 1 is given}}
  %r = call @axpy(%a) : (f64) -> f64
  // expected-error@+1 {{there is no function `@apxy`}}
  %s = call @apxy(%a, %a) : (f64, f64) -> f64
  // expected-error@+1 {{`@axpy` returns `f64`, not `f64, f64`}}
  %t:2 = call @axpy(%a, %a) : (f64, f64) -> (f64, f64)
  vector.print %r : f64
  // expected-error@+1 {{the function returns no values, and 1 is given}}
  return %a : f64
}
