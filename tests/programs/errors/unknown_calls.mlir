// A call of what there is not, at the start of a line or in the middle, is told, and is no broken definition.
func.func @scale(%x: f64) -> f64 {
  return %x : f64
}
func.func @main() {
  %x = arith.constant 1.0 : f64
  // expected-error@+1 {{there is no function `@nope`}}
  func.call @nope() : () -> ()
  // expected-error@+1 {{there is no function `@scal`}}
  func.call @scal(%x) : (f64) -> f64
  // expected-error@+1 {{there is no function `@nope`}}
  %r = call @nope() : () -> f64
  scf.execute_region {
    // expected-error@+1 {{there is no function `@none`}}
    func.call @none(%x) : (f64) -> ()
    scf.yield
  }
  // expected-error@+1 {{nnz has no operation `func.constant`}}
  %f = func.constant @scale : (f64) -> f64
  return
}
