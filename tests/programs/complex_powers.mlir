// Powers of complex numbers, and the angle of one over another.
func.func @main() {
  %z = complex.constant [1.0, 2.0] : complex<f64>
  %w = complex.constant [0.5, -1.0] : complex<f64>
  %p = complex.pow %z, %w : complex<f64>
  %p_re = complex.re %p : complex<f64>
  vector.print %p_re : f64
  %p_im = complex.im %p : complex<f64>
  vector.print %p_im : f64
  %q = complex.atan2 %z, %w : complex<f64>
  %q_re = complex.re %q : complex<f64>
  vector.print %q_re : f64
  %q_im = complex.im %q : complex<f64>
  vector.print %q_im : f64
  return
}
