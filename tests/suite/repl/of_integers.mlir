func.func @f(%a: i64, %b: i64, %x: f64, %v: vector<4xi64>) {
  %0 = arith.divi %a, %b : i64
  %1 = arith.remi %a, %b : i64
  %2 = arith.add %a, %b : i64
  %3 = arith.cmp slt, %a, %b : i64
  %4 = arith.div %x, %x : f64
  %5 = arith.mul %v, %v : vector<4xi64>
  %6 = arith.addi_ %x, %x : f64
  return
}
