// A `;` is no part of MLIR, and what stands before it is whole.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @main(%A: tensor<2x2xf64, #CSR>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{`;` is no part of MLIR}}
  %e = tensor.extract %A[%c0, %c0] : tensor<2x2xf64, #CSR>;
  vector.print %e : f64
  // expected-error@+1 {{`vector.print` prints scalars and vectors, not `tensor<2x2xf64, #CSR>`}}
  vector.print %A : tensor<2x2xf64, #CSR>
  %d = tensor.empty() : tensor<2x2xf64>
  // expected-error@+1 {{the padding is missing}}
  %x = vector.transfer_read %d[%c0, %c0] : tensor<2x2xf64>, vector<2x2xf64>
  return
}
