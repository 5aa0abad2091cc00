// The operation that is a whole body is held to its types.
func.func @main() {
  %t = arith.constant dense<1.0> : tensor<2x2xf64>
  %ti = arith.constant dense<1> : tensor<2x2xi32>
  %t1 = arith.constant dense<1.0> : tensor<2xf64>
  // expected-error@+1 {{`math.absi` takes an integer type or `index`, not `f64`}}
  %a = linalg.map { math.absi } ins(%t : tensor<2x2xf64>) outs(%t : tensor<2x2xf64>)
  // expected-error@+1 {{`arith.addi` takes an integer type or `index`, not `f64`}}
  %b = linalg.map { arith.addi } ins(%t, %t : tensor<2x2xf64>, tensor<2x2xf64>) outs(%t : tensor<2x2xf64>)
  // expected-error@+1 {{`arith.addf` takes 2 operands, not 1}}
  %c = linalg.map { arith.addf } ins(%t : tensor<2x2xf64>) outs(%t : tensor<2x2xf64>)
  // expected-error@+1 {{there is no operation `arith.adf`}}
  %d = linalg.map { arith.adf } ins(%t, %t : tensor<2x2xf64>, tensor<2x2xf64>) outs(%t : tensor<2x2xf64>)
  // expected-error@+1 {{`arith.cmpf` needs `predicate`}}
  %e = linalg.reduce { arith.cmpf } ins(%t : tensor<2x2xf64>) outs(%t1 : tensor<2xf64>) dimensions = [1]
  // expected-error@+1 {{takes 1 operand, not 2}}
  %f = linalg.reduce { math.sqrt } ins(%t : tensor<2x2xf64>) outs(%t1 : tensor<2xf64>) dimensions = [1]
  // expected-error@+1 {{`arith.addf` takes a floating-point type, not `i32`}}
  %g = linalg.reduce { arith.addf } ins(%ti : tensor<2x2xi32>) outs(%t1 : tensor<2xf64>) dimensions = [1]
  // expected-error@+1 {{`linalg.fill` is no function of scalars}}
  %h = linalg.map { linalg.fill } ins(%t : tensor<2x2xf64>) outs(%t : tensor<2x2xf64>)
  // expected-error@+1 {{`math.exp` takes a floating-point type, not `i32`}}
  %i = linalg.exp ins(%ti : tensor<2x2xi32>) outs(%ti : tensor<2x2xi32>) -> tensor<2x2xi32>
  return
}
