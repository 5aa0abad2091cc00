// `linalg.index` outside of a kernel.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{`linalg.index` stands in the body of a kernel, and nowhere else}}
  %a = linalg.index 0 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error@+1 {{`linalg.index` stands in the body of a kernel, and nowhere else}}
    %b = linalg.index 0 : index
  }
  return
}
