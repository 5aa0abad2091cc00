// The names of a block in another order, or one too few: one error.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @few(%a: tensor<4x4xf64, #CSR>) {
  sparse_tensor.foreach in %a : tensor<4x4xf64, #CSR> do {
  // expected-error@+1 {{the region takes 3 values, not 2}}
  ^bb0(%i: index, %v: f64):
    %s = arith.addf %v, %v : f64
  }
  return
}
func.func @used(%a: tensor<4x4xf64, #CSR>) {
  sparse_tensor.foreach in %a : tensor<4x4xf64, #CSR> do {
  // expected-error@+1 {{the region takes 3 values, not 2}}
  ^bb0(%i: index, %v: f64):
    %s = arith.addi %i, %j : index
    %t = arith.addf %v, %v : f64
  }
  return
}
func.func @turned(%a: tensor<4x4xf64, #CSR>) {
  sparse_tensor.foreach in %a : tensor<4x4xf64, #CSR> do {
  // expected-error@+1 {{the region takes its values in the order `index, index, f64`}}
  ^bb0(%v: f64, %i: index, %j: index):
    %s = arith.addf %v, %v : f64
    %t = arith.addi %i, %j : index
  }
  return
}
