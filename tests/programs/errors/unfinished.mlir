// A definition ends where the next one begins: what is missing in one is not looked for in the next.

func.func @open(%a: f64) -> f64 {
  %b = arith.addf %a, %a : f64
  // expected-error@+1 {{`}` is missing}}
  return %b : f64

func.func @next(%a: f64) -> f64 {
  // expected-error@+1 {{`%c` is not defined before this}}
  %b = arith.addf %a, %c : f64
  return %b : f64
}
