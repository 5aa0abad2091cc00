// What is no number has the sign that the C library gives it.
func.func @print(%x: f64, %y: f32) {
  %a = math.acosh %x : f64
  %b = math.atanh %x : f64
  %c = math.acosh %y : f32
  %d = math.atanh %y : f32
  %e = math.asin %x : f64
  %f = math.log1p %x : f64
  vector.print %a : f64
  vector.print %b : f64
  vector.print %c : f32
  vector.print %d : f32
  vector.print %e : f64
  vector.print %f : f64
  return
}
func.func @main() {
  %x = arith.constant -2.5 : f64
  %y = arith.constant -2.5 : f32
  %u = arith.constant 2.5 : f64
  %v = arith.constant 2.5 : f32
  call @print(%x, %y) : (f64, f32) -> ()
  call @print(%u, %v) : (f64, f32) -> ()
  return
}
