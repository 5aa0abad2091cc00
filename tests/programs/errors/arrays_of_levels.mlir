// Arrays that a tensor does not have.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @main() {
  %c0 = arith.constant 0 : index
  %d = arith.constant dense<1.0> : tensor<4x4xf64>
  %a = sparse_tensor.convert %d : tensor<4x4xf64> to tensor<4x4xf64, #CSR>
  // expected-error@+1 {{`level` names one of the 2 levels, counted from 0}}
  %p = sparse_tensor.positions %a { level = 2 : index } : tensor<4x4xf64, #CSR> to memref<?xindex>
  // expected-error@+1 {{level 0 is `dense`, which has no positions}}
  %q = sparse_tensor.positions %a { level = 0 : index } : tensor<4x4xf64, #CSR> to memref<?xindex>
  // expected-error@+1 {{the array holds `f64`, and the result is `memref<?xf32>`}}
  %v = sparse_tensor.values %a : tensor<4x4xf64, #CSR> to memref<?xf32>
  // expected-error@+1 {{`sparse_tensor.number_of_entries` takes a tensor with an encoding, not `tensor<4x4xf64>`}}
  %n = sparse_tensor.number_of_entries %d : tensor<4x4xf64>
  // expected-error@+1 {{`sparse_tensor.values` takes a tensor with an encoding, not `tensor<4x4xf64>`}}
  %m = sparse_tensor.values %d : tensor<4x4xf64> to memref<?xf64>
  return
}
