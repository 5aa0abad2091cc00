// Attributes and types that a dialect has not, wherever they stand: an error as of an unknown operation.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// expected-error@+1 {{there is no attribute `#sparse_tensor.encodng`}}
func.func private @misspelt(tensor<4x4xf64, #sparse_tensor.encodng<{ map = (i, j) -> (i : dense, j : compressed) }>>)
// expected-error@+1 {{there is no attribute `#sparse_tensor.CSR`}}
func.func private @format(tensor<4x4xf64, #sparse_tensor.CSR>)
// expected-error@+1 {{there is no attribute `#sparse_tensor.storage`}}
func.func private @other(tensor<4x4xf64, #sparse_tensor.storage>)
// expected-error@+1 {{there is no type `!sparse_tensor.storage_specifer`}}
func.func private @type(!sparse_tensor.storage_specifer<#CSR>)
// expected-error@+1 {{there is no type `!arith.f64`}}
func.func private @none(!arith.f64)
func.func @flags(%a: f64) -> f64 {
  // expected-error@+1 {{there is no attribute `#arith.fastmth`}}
  %0 = "arith.addf"(%a, %a) <{fastmath = #arith.fastmth<fast>}> : (f64, f64) -> f64
  // expected-error@+1 {{there is no attribute `#linalg.iterator`}}
  %1 = arith.addf %a, %a {kind = #linalg.iterator<parallel>} : f64
  return %1 : f64
}
// Of other dialects nnz knows nothing.
// expected-error@+1 {{nnz does not compute with `tensor<4xf64, #gpu.address_space<global>>`}}
func.func private @elsewhere(tensor<4xf64, #gpu.address_space<global>>)
