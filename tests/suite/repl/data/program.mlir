func.func @twice(%x: f64) -> f64 {
  %0 = arith.addf %x, %x : f64
  return %0 : f64
}
