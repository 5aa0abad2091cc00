// Functions of integers, questions about floats, and a function with two results.
func.func @main() {
  %a = arith.constant 40 : i32
  %z = arith.constant 0 : i8
  %lead = math.ctlz %a : i32
  %trail = math.cttz %a : i32
  %ones = math.ctpop %a : i32
  %none = math.cttz %z : i8
  vector.print %lead : i32
  vector.print %trail : i32
  vector.print %ones : i32
  vector.print %none : i8
  %one = arith.constant 1 : i4
  %narrow = math.ctlz %one : i4
  %empty = arith.constant 0 : i4
  %below = math.cttz %empty : i4
  vector.print %narrow : i4
  vector.print %below : i4
  %m3 = arith.constant -3 : i64
  %five = arith.constant 5 : i64
  %power = math.ipowi %m3, %five : i64
  vector.print %power : i64
  %x = arith.constant 1.5 : f64
  %four = arith.constant 4 : i32
  %fourth = math.fpowi %x, %four : f64, i32
  vector.print %fourth : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %isnan = math.isnan %nan : f64
  %isfinite = math.isfinite %x : f64
  %isinf = math.isinf %x : f64
  vector.print %isnan : i1
  vector.print %isfinite : i1
  vector.print %isinf : i1
  %isnormal = math.isnormal %x : f64
  %tiny = arith.constant 1.0e-310 : f64
  %subnormal = math.isnormal %tiny : f64
  %small = arith.constant 1.0e-40 : f32
  %smallest = math.isnormal %small : f32
  %half = arith.constant 0.0001 : f16
  %normal = math.isnormal %half : f16
  %halved = arith.constant 0.00001 : f16
  %below16 = math.isnormal %halved : f16
  %nothing = arith.constant -0.0 : f64
  %zero = math.isnormal %nothing : f64
  %nannormal = math.isnormal %nan : f64
  vector.print %isnormal : i1
  vector.print %subnormal : i1
  vector.print %smallest : i1
  vector.print %normal : i1
  vector.print %below16 : i1
  vector.print %zero : i1
  vector.print %nannormal : i1
  %w = arith.constant 0.5 : f64
  %sin, %cos = math.sincos %w : f64
  vector.print %sin : f64
  vector.print %cos : f64
  %w32 = arith.constant 0.5 : f32
  %fast:2 = math.sincos %w32 fastmath<contract> : f32
  vector.print %fast#0 : f32
  vector.print %fast#1 : f32
  return
}
