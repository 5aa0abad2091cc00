// The bracket of a function's head or the brace of its body is missing: one error each, with a way out.
// expected-error@+1 {{expected `)` behind the parameters or results of the function}}
func.func @parameters(%a: f64, %b: f64 -> f64 {
  return %a : f64
}
// expected-error@+1 {{expected `)` behind the parameters or results of the function}}
func.func @nothing(%a: f64 {
  return
}
// expected-error@+1 {{expected `)` behind the parameters or results of the function}}
func.func @results(%a: f64) -> (f64, f64 {
  return %a, %a : f64, f64
}
// expected-error@+1 {{expected `{` in front of the body of the function}}
func.func @bare(%a: f64) -> f64
  return %a : f64
}
func.func @names(%b: f64) -> f64 {
  // expected-error@+1 {{a value's name begins with `%`: `%b`}}
  return b : f64
}
func.func @indices(%t: tensor<4x4xf64>) {
  %c = arith.constant 1 : i64
  %i = arith.constant 1 : index
  // expected-error@+1 {{`%c` is `i64`, not `index`}}
  %0 = tensor.extract %t[%c, %i] : tensor<4x4xf64>
  // expected-error@+1 {{`tensor<4x4xf64>` has 2 dimensions, and 1 index is given}}
  %1 = tensor.extract %t[%i] : tensor<4x4xf64>
  return
}
