// Integer arithmetic with and without signs.
module {
  func.func @main() {
    %a = arith.constant -7 : i32
    %b = arith.constant 2 : i32
    %c = arith.constant 250 : i32
    %0 = arith.divsi %a, %b : i32
    %1 = arith.divui %a, %b : i32
    %2 = arith.remsi %a, %b : i32
    %3 = arith.floordivsi %a, %b : i32
    %4 = arith.ceildivsi %a, %b : i32
    %5 = arith.shli %c, %b : i32
    %6 = arith.shrsi %a, %b : i32
    %7 = arith.shrui %a, %b : i32
    %8 = arith.minsi %a, %b : i32
    %9 = arith.maxui %a, %b : i32
    %10 = arith.trunci %c : i32 to i8
    %11 = arith.extui %10 : i8 to i32
    %12 = arith.extsi %10 : i8 to i32
    %13 = arith.xori %a, %c : i32
    vector.print %0 : i32
    vector.print %1 : i32
    vector.print %2 : i32
    vector.print %3 : i32
    vector.print %4 : i32
    vector.print %5 : i32
    vector.print %6 : i32
    vector.print %7 : i32
    vector.print %8 : i32
    vector.print %9 : i32
    vector.print %10 : i8
    vector.print %11 : i32
    vector.print %12 : i32
    vector.print %13 : i32
    %14 = arith.cmpi ult, %a, %b : i32
    %15 = arith.cmpi slt, %a, %b : i32
    vector.print %14 : i1
    vector.print %15 : i1
    %16 = math.absi %a : i32
    vector.print %16 : i32
    return
  }
}
