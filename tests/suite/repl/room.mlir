// An array that is made, and one entry that is written.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %room = tensor.empty() : tensor<5000xf64>
  %x = tensor.extract %room[%c0] : tensor<5000xf64>
  %y = arith.addf %x, %one : f64
  vector.print %y : f64
  return
}
