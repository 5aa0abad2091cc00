// Operations that are nearly right.
func.func @main() {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{there is no operation `arith.constnat`}}
  %c = arith.constnat dense<1.0> : tensor<4x4xf64>
  // expected-error@+1 {{there is no operation `tensor.emty`}}
  %e = tensor.emty() : tensor<4x4xf64>
  // expected-error@+1 {{there is no operation `linlag.fill`}}
  %f = linlag.fill ins(%c0 : index) outs(%e : tensor<4x4xf64>) -> tensor<4x4xf64>
  // expected-error@+1 {{there is no operation `sparse_tensor.number_of_entires`}}
  %n = sparse_tensor.number_of_entires %c : tensor<4x4xf64>
  // expected-error@+1 {{there is no operation `vector.prnt`}}
  vector.prnt %n : index
  // expected-error@+1 {{there is no operation `retrun`}}
  retrun
}
