// A tensor under another map shares the memory that is stored into.
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 42.0 : f64
  %d = arith.constant dense<[[1.0, 0.0], [0.0, 2.0]]> : tensor<2x2xf64>
  %a = sparse_tensor.convert %d : tensor<2x2xf64> to tensor<2x2xf64, #CSC>
  %b = sparse_tensor.reinterpret_map %a : tensor<2x2xf64, #CSC> to tensor<2x2xf64, #CSR>
  %v = sparse_tensor.values %a : tensor<2x2xf64, #CSC> to memref<?xf64>
  memref.store %x, %v[%c0] : memref<?xf64>
  // expected-error@+1 {{`sparse_tensor.print` reads a tensor whose buffer was stored into}}
  sparse_tensor.print %b : tensor<2x2xf64, #CSR>
  return
}
