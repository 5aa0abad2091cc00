// The brace in front of a region is missing, or a function stands in another one: no error follows from it.
func.func @choice(%c: i1, %a: f64) -> f64 {
  // expected-error@+1 {{expected `{` in front of the region, found the end of the line}}
  %0 = scf.if %c -> (f64)
    scf.yield %a : f64
  } else {
    scf.yield %a : f64
  }
  return %0 : f64
}
func.func @loop(%n: index, %a: f64) -> f64 {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{expected `{` in front of the region, found the end of the line}}
  scf.for %i = %c0 to %n step %n
    vector.print %i : index
    // expected-error@+1 {{`%b` is not defined before this}}
    vector.print %b : f64
  }
  return %a : f64
}
func.func @carried(%n: index, %a: f64) -> f64 {
  %c0 = arith.constant 0 : index
  // The words of a loop may stand on several lines.
  %0 = scf.for %i = %c0 to %n step %n
      iter_args(%y = %a) -> (f64) {
    %1 = arith.addf %y, %a : f64
    scf.yield %1 : f64
  }
  return %0 : f64
}
func.func @outer(%a: f64) -> f64 {
  // expected-error@+1 {{a function stands in a module, and not in the body of another function}}
  func.func @inner() {
    return
  }
  // expected-error@+1 {{`%b` is not defined before this}}
  return %b : f64
}
func.func @returned(%a: f64) -> f64 {
  return %a : f64

  // expected-error@+1 {{a function stands in a module, and not in the body of another function}}
  func.func @below() {
    return
  }
}
func.func @behind(%a: f64) -> f64 {
  %0 = call @outer(%a) : (f64) -> f64
  return %0 : f64
}
