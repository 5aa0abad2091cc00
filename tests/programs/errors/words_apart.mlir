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
func.func @regions(%a: f64) -> f64 {
  // expected-error@+2 {{no `,` stands in front of `present`}}
  // expected-error@+1 {{`sparse_tensor.unary` has a meaning in the body of a kernel only}}
  %r = sparse_tensor.unary %a : f64 to f64, present = {
  ^bb0(%x: f64):
    sparse_tensor.yield %x : f64
  }
  // expected-error@+1 {{no `,` stands in front of `absent`}}
  , absent = {}
  return %r : f64
}
// expected-error@+1 {{expected `(`, found `-`}}
func.func private @f-1()
// expected-error@+1 {{the attributes of a function stand behind `attributes`}}
func.func @interface(%n: index) -> index {llvm.emit_c_interface} {
  return %n : index
}
func.func @first() {
^bb0:
  // expected-error@+1 {{`^bb0` is the first block of its region, to which nothing branches}}
  cf.br ^bb0
}
func.func @rows() -> tensor<999999999x2xf64> {
  // expected-error@+1 {{2x2}}
  %c = arith.constant dense<[[1.0, 0.0], [2.0, 3.0]]> : tensor<999999999x2xf64>
  return %c : tensor<999999999x2xf64>
}
// expected-error@+1 {{`arith.subf` does not begin an alias, a module or a function}}
arith.subf @main() {
  return
}
