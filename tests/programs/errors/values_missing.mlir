// The next line begins another operation, and holds no values of this one.
func.func @f(%a: f64) -> f64 {
  // expected-error@+1 {{the function returns 1 value, and 0 are given}}
  return
}

func.func @g(%a: f64) -> f64 {
  %t = arith.constant true
  %r = scf.if %t -> f64 {
    scf.yield %a : f64
  } else {
    // expected-error@+1 {{`scf.if` has 1 result, and 0 are yielded}}
    scf.yield
  }
  %s:2 = func.call @h(%a) : (f64) -> (f64, f64)
  return
    %a : f64
}

func.func @h(%a: f64) -> (f64, f64) {
  // expected-error@+1 {{the function returns 2 values, and 1 is given}}
  return
    %a : f64
}
