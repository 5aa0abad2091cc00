// A number without a type is an `i64`; the number of a level or of a dimension is an `index`, and stands there.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @main(%a: tensor<3x4xf64, #CSR>) {
  // expected-error@+1 {{`level` is a number of type `index`, from 0 on}}
  %0 = sparse_tensor.positions %a {level = 1} : tensor<3x4xf64, #CSR> to memref<?xindex>
  // expected-error@+1 {{`level` is a number of type `index`, from 0 on}}
  %1 = sparse_tensor.coordinates %a {level = 1 : i64} : tensor<3x4xf64, #CSR> to memref<?xindex>
  // expected-error@+1 {{`sparse_tensor.positions` needs `level`, a number of type `index`, from 0 on}}
  %2 = sparse_tensor.positions %a {lvl = 1 : index} : tensor<3x4xf64, #CSR> to memref<?xindex>
  // expected-error@+1 {{`sparse_tensor.positions` needs `level`, a number of type `index`, from 0 on}}
  %3 = sparse_tensor.positions %a : tensor<3x4xf64, #CSR> to memref<?xindex>
  // expected-error@+1 {{`dimension` is a number of type `index`, from 0 on}}
  %4 = sparse_tensor.concatenate %a, %a {dimension = 0}
    : tensor<3x4xf64, #CSR>, tensor<3x4xf64, #CSR> to tensor<6x4xf64, #CSR>
  %z = complex.constant [1.0, 2.0] : complex<f64>
  // expected-error@+1 {{`vector.print` prints no `complex<f64>`}}
  vector.print %z : complex<f64>
  return
}
