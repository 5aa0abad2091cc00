// Values: defined before their use, once, of the type that is asked for.
func.func @main() {
  %a = arith.constant 1.0 : f32
  // expected-error@+1 {{`%a` is `f32`, not `f64`}}
  %b = arith.addf %a, %a : f64
  %c = arith.mulf %b, %b : f64
  // expected-error@+1 {{`%x` is not defined before this}}
  %d = arith.addf %x, %x : f64
  // expected-error@+1 {{there is no operation `arith.frobnicate`}}
  %e = arith.frobnicate %a : f32
  %f = arith.negf %e : f32
  // expected-error@+1 {{`%a` is defined twice}}
  %a = arith.constant 2.0 : f32
  // expected-error@+1 {{there is no function `@g`}}
  call @g(%a) : (f32) -> ()
  // expected-error@+1 {{leaves 1 size open, and 0 are given}}
  %t = tensor.empty() : tensor<?xf64>
  // expected-error@+1 {{takes an integer type or `index`, not `f32`}}
  %s = arith.addi %a, %a : f32
  return
}
