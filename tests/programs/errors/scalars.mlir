// Scalars of other types.
func.func @main() {
  %n = arith.constant 4 : i64
  // expected-error@+1 {{`%n` is `i64`, not `index`}}
  %t = tensor.empty(%n) : tensor<?xf64>
  %a = arith.constant 1 : i32
  // expected-error@+1 {{`arith.addf` takes a floating-point type, not `i32`}}
  %b = arith.addf %a, %a : i32
  %c = arith.constant 1.0
  // expected-error@+1 {{`%n` is `i64`, not `i32`}}
  %d = arith.addi %a, %n : i32
  // expected-error@+1 {{`lt` is not a predicate of `arith.cmpi`}}
  %e = arith.cmpi lt, %a, %a : i32
  return
}
