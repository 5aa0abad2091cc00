// Inverse hyperbolic functions of numbers near the largest.
func.func @main() {
  %x = arith.constant 1.0e308 : f64
  %a = math.asinh %x : f64
  vector.print %a : f64
  %b = math.acosh %x : f64
  vector.print %b : f64
  %y = arith.constant 3.0e38 : f32
  %c = math.asinh %y : f32
  vector.print %c : f32
  return
}
