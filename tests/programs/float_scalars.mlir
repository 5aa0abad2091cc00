// Floating-point arithmetic, special values among it.
module {
  func.func @main() {
    %a = arith.constant 2.5 : f64
    %b = arith.constant -0.75 : f64
    %nan = arith.constant 0x7FF8000000000000 : f64
    %inf = arith.constant 0x7FF0000000000000 : f64
    %0 = arith.remf %a, %b : f64
    %1 = arith.maximumf %a, %b : f64
    %2 = arith.minnumf %a, %nan : f64
    %3 = arith.maximumf %a, %inf : f64
    %4 = math.copysign %a, %b : f64
    %5 = math.powf %a, %b : f64
    %6 = math.atan2 %a, %b : f64
    %7 = math.fma %a, %b, %a : f64
    %8 = math.exp %b : f64
    %9 = arith.negf %inf : f64
    %10 = arith.cmpf uno, %a, %nan : f64
    %11 = arith.cmpf olt, %a, %nan : f64
    %12 = arith.truncf %a : f64 to f32
    %13 = arith.bitcast %12 : f32 to i32
    vector.print %0 : f64
    vector.print %1 : f64
    vector.print %2 : f64
    vector.print %3 : f64
    vector.print %4 : f64
    vector.print %5 : f64
    vector.print %6 : f64
    vector.print %7 : f64
    vector.print %8 : f64
    vector.print %9 : f64
    vector.print %10 : i1
    vector.print %11 : i1
    vector.print %12 : f32
    vector.print %13 : i32
    return
  }
}
