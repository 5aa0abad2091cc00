// A sign in the place of another one, or none: one error, and what is named so is known.
// expected-error@+1 {{an alias is defined with `=`, not with `:=`}}
#B := #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// expected-error@+1 {{an alias is defined with `=`, not with `==`}}
#map == affine_map<(i) -> (i)>
// expected-error@+1 {{an alias is defined with `=`, not with `:=`}}
!t := tensor<4xf64>
func.func @names(%a: f64, %t: !t, %m: tensor<4x4xf64, #B>) -> f64 {
  // expected-error@+1 {{a value is named with `=`, not with `:=`}}
  %0 := arith.addf %a, %a : f64
  // expected-error@+1 {{a value is named with `=`, not with `==`}}
  %1 == arith.addf %0, %a : f64
  // expected-error@+1 {{the operands of an operation are separated by `,`, not by `+`}}
  %2 = arith.addf %1 + %a : f64
  // expected-error@+1 {{expected `,`, found `%a`}}
  %3 = arith.addf %2 %a : f64
  // expected-error@+1 {{the operands of an operation are separated by `,`, not by `&`}}
  %4 = arith.cmpf olt, %3 & %a : f64
  %5 = arith.select %4, %3, %a : f64
  return %5 : f64
}
func.func @angles(%a: tensor<4xf64>) -> tensor<?xf64> {
  // expected-error@+1 {{expected `>`, found `to`}}
  %0 = tensor.cast %a : tensor<4xf64 to tensor<?xf64>
  // expected-error@+1 {{expected `>`, found the end of the line}}
  %1 = arith.addf %a, %a : tensor<4xf64
  return %0 : tensor<?xf64>
}
