// Spellings of other languages.
func.func @main() {
  // expected-error@+1 {{`;` is no part of MLIR}}
  %a = arith.constant 1.0 : f64;
  // expected-error@+1 {{a value's name begins with `%`: `%b`}}
  b = arith.addf %a, %a : f64
  // expected-error@+1 {{a value's name begins with `%`: `%a`}}
  %c = arith.addf a, %a : f64
  // expected-error@+1 {{expected `,`, found `%a`}}
  %d = arith.addf %a %a : f64
  // expected-error@+1 {{the operands of this operation stand without parentheses}}
  %e = arith.addf(%a, %a) : f64
  // expected-error@+1 {{there is no operation `print`}}
  print %a
  return
}
