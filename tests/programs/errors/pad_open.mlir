// Padding that is known at run time only is checked then.
func.func @main() {
  %m = arith.constant -1 : index
  %one = arith.constant 1 : index
  %low = arith.addi %m, %one : index
  %less = arith.addi %low, %m : index
  %f = arith.constant 9.0 : f64
  %y = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  // expected-error@+1 {{what pads a tensor is 0 or more, not -1}}
  %r = tensor.pad %y low[%less] high[1] { ^bb0(%i: index): tensor.yield %f : f64 } : tensor<4xf64> to tensor<?xf64>
  return
}
