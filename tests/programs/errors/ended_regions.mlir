// What a region leaves behind.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.constant 2.0 : f64
  }
  // expected-error@+1 {{`scf.for` has 1 result, and 0 are yielded}}
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f64) {
    // expected-error@+1 {{`%v` is not defined before this}}
    %t = arith.addf %acc, %v : f64
  }
  vector.print %s : f64
  return
}
