// An arrow, a bracket or a `,` of a function's head is wrong: one error, and the body and the calls are read.
// expected-error@+1 {{expected `->` in front of the results of the function, found `tensor`}}
func.func @arrow(%a: tensor<4xf64>) tensor<4xf64> {
  // expected-error@+1 {{`%b` is not defined before this}}
  return %b : tensor<4xf64>
}
// expected-error@+1 {{expected `->` in front of the results of the function, found `(`}}
func.func @arrow_of_two(%a: f64) (f64, f64) {
  return %a, %a : f64, f64
}
// expected-error@+1 {{`)` closes nothing}}
func.func @one_too_many(%a: tensor<4xf64>)) -> tensor<4xf64> {
  return %a : tensor<4xf64>
}
// expected-error@+1 {{several results of a function stand in parentheses}}
func.func @two(%a: f64) -> f64, f64 {
  return %a, %a : f64, f64
}
// expected-error@+1 {{expected `{`, found `(`}}
func.func @parenthesis(%a: tensor<4xf64>) -> tensor<4xf64> (
  return %a : tensor<4xf64>
}
// expected-error@+1 {{expected `,` or `)`, found `%b`}}
func.func @comma(%a: f64 %b: f64) -> f64 {
  return %b : f64
}
// expected-error@+1 {{expected `{` and the body of the function, found `twice`}}
func.func @word(%a: f64) -> f64 twice {
  return %a : f64
}
// expected-error@+1 {{no results stand behind this `->`}}
func.func @nothing(%a: f64) -> {
  return
}
// expected-error@+1 {{expected `->` before the results of a function, found `-`}}
func.func @minus(%a: f64) - f64 {
  return %a : f64
}
// expected-error@+2 {{there is no type `double`}}
// expected-error@+1 {{there is no type `float`}}
func.func @types(%a: double, %c: i1) -> float {
  // expected-error@+1 {{there is no type `double`}}
  %0 = arith.addf %a, %a : double
  // expected-error@+1 {{`%d` is not defined before this}}
  return %d : f64
}
// expected-error@+1 {{expected `>`, found `)`}}
func.func @open(%a: tensor<4xf64) -> f64 {
  // expected-error@+1 {{`%d` is not defined before this}}
  return %d : f64
}
// expected-error@+1 {{unknown element type `f46`}}
func.func @result(%a: tensor<4xf64>) -> tensor<4xf46> {
  return %a : tensor<4xf64>
}
func.func @calls(%a: tensor<4xf64>, %b: f64) -> tensor<4xf64> {
  %0 = call @arrow(%a) : (tensor<4xf64>) -> tensor<4xf64>
  %1:2 = call @two(%b) : (f64) -> (f64, f64)
  %2 = call @parenthesis(%0) : (tensor<4xf64>) -> tensor<4xf64>
  %3 = call @comma(%1#0, %1#1) : (f64, f64) -> f64
  %4 = call @result(%2) : (tensor<4xf64>) -> tensor<4xf64>
  return %4 : tensor<4xf64>
}
