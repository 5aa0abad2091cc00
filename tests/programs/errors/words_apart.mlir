// Words and signs that stand apart, and where one sign is wanted.
func.func @attribute(%a: f64) {
  // expected-error@+1 {{expected `}`, found `<`}}
  %r = "arith.addf"(%a, %a) {fastmath = #arith.fastmath <none>} : (f64, f64) -> f64
  return
}
func.func @signs() {
  // expected-error@+1 {{expected `>`, found `comma`}}
  vector.print punctuation <comma comma>
  return
}
