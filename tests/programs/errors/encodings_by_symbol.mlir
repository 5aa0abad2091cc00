// A symbol is no encoding.
func.func @f(%a: tensor<2xf64>) -> tensor<2xf64> {
  %z = arith.constant 1.0 : f64
  // expected-error@+1 {{nnz does not compute with `tensor<2xf64, @g>`}}
  %0 = linalg.fill ins(%z : f64) outs(%a : tensor<2xf64>) -> tensor<2xf64, @g>
  return %0 : tensor<2xf64>
}
func.func @main() {
  return
}
