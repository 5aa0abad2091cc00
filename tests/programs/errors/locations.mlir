// Locations that are none.
#loc1 = loc("a":1:2)
func.func @main() {
  // expected-error@+1 {{`#lok1` is not defined}}
  %a = arith.constant 0.0 : f64 loc(#lok1)
  // expected-error@+1 {{expected a location, found `here`}}
  %b = arith.constant 0.0 : f64 loc(here)
  %c = arith.constant 0.0 : f64 loc("a":1)
  // expected-error@+1 {{expected a number, found `)`}}
  %c2 = arith.constant 0.0 : f64 loc("a":1:)
  // expected-error@+1 {{expected `at`, found `)`}}
  %d = arith.constant 0.0 : f64 loc(callsite(unknown))
  // expected-error@+1 {{expected `[`, found `)`}}
  %e = arith.constant 0.0 : f64 loc(fused)
  // expected-error@+1 {{a location stands at the end of an operation or of an argument}}
  %f = arith.negf %a loc(#loc1) : f64
  // expected-error@+1 {{`#loc2` is not defined}}
  return loc(fused[#loc1, #loc2])
}
#loc2 = loc("below")
