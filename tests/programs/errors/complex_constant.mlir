// The parts of a complex constant are floats of its own width.
func.func @main() {
  // expected-error@+1 {{the parts of a `complex<f32>` are `f32`, and this is `f64`}}
  %a = complex.constant [1.0, 0.0] : complex<f32>
  // expected-error@+1 {{the parts of a `complex<f64>` are floats}}
  %b = complex.constant [1, 0] : complex<f64>
  %c = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  return
}
