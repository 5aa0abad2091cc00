// A tensor that is concatenated with itself again and again.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 1000 : index
  %ones = arith.constant dense<1.0> : tensor<2xf64>
  %start = tensor.cast %ones : tensor<2xf64> to tensor<?xf64>
  %end = scf.for %i = %c0 to %many step %c1 iter_args(%a = %start) -> (tensor<?xf64>) {
    %twice = tensor.concat dim(0) %a, %a : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %twice : tensor<?xf64>
  }
  return
}
