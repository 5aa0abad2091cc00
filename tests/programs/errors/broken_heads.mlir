// What is wrong with the head of a function is told there alone, and not where it is called.
// expected-error@+1 {{`fun` does not begin an alias, a module or a function}}
fun @word(%x: f64) -> f64 {
  return %x : f64
}
// expected-error@+1 {{a function's name begins with `@`: `@bare`}}
func.func bare(%x: f64) -> f64 {
  return %x : f64
}
// expected-error@+1 {{a function's name begins with `@`: `@percent`}}
func.func %percent(%x: f64) -> f64 {
  return %x : f64
}
// expected-error@+1 {{expected `->` before the results of a function, found `- >`}}
func.func @split(%x: f64) - > f64 {
  return %x : f64
}
// expected-error@+1 {{expected `->` before the results of a function, found `=>`}}
func.func @fat(%x: f64) => f64 {
  return %x : f64
}
func.func @main() {
  %c = arith.constant 1.0 : f64
  %0 = call @bare(%c) : (f64) -> f64
  %1 = call @percent(%c) : (f64) -> f64
  %2 = call @word(%c) : (f64) -> f64
  %3 = call @split(%c) : (f64) -> f64
  %4 = call @fat(%c) : (f64) -> f64
  return
}
