// Complex numbers to the power of an integer.
func.func @show(%z: complex<f64>) {
  %re = complex.re %z : complex<f64>
  vector.print %re : f64
  %im = complex.im %z : complex<f64>
  vector.print %im : f64
  return
}
func.func @main() {
  %z = complex.constant [1.0, 2.0] : complex<f64>
  %three = arith.constant 3 : i32
  %cube = complex.powi %z, %three : complex<f64>, i32
  call @show(%cube) : (complex<f64>) -> ()
  %zero = arith.constant 0 : i32
  %one = complex.powi %z, %zero : complex<f64>, i32
  call @show(%one) : (complex<f64>) -> ()
  %minus = arith.constant -2 : i32
  %inverse = complex.powi %z, %minus fastmath<fast> : complex<f64>, i32
  call @show(%inverse) : (complex<f64>) -> ()
  return
}
