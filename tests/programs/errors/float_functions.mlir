// Functions of floats alone.
func.func @main() {
  %i = arith.constant 1 : i32
  // expected-error@+1 {{takes a floating-point type}}
  %a, %b = math.sincos %i : i32
  // expected-error@+1 {{takes a floating-point type}}
  %c = math.isnormal %i : i32
  %t = arith.constant dense<[1, 2]> : tensor<2xi32>
  // expected-error@+1 {{takes a floating-point type}}
  %d = linalg.square ins(%t : tensor<2xi32>) outs(%t : tensor<2xi32>) -> tensor<2xi32>
  return
}
