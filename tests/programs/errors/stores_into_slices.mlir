// A slice is in the memory of its tensor.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#Slice = #sparse_tensor.encoding<{
  map = (i : #sparse_tensor<slice(0, 2, 1)>, j : #sparse_tensor<slice(0, 1, 1)>) -> (i : dense, j : compressed)
}>
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 42.0 : f64
  %d = arith.constant dense<[[1.0, 0.0], [0.0, 2.0]]> : tensor<2x2xf64>
  %a = sparse_tensor.convert %d : tensor<2x2xf64> to tensor<2x2xf64, #CSR>
  %v = sparse_tensor.values %a : tensor<2x2xf64, #CSR> to memref<?xf64>
  %s = tensor.extract_slice %a[0, 0] [2, 1] [1, 1] : tensor<2x2xf64, #CSR> to tensor<2x1xf64, #Slice>
  memref.store %x, %v[%c0] : memref<?xf64>
  // expected-error@+1 {{`sparse_tensor.convert` reads a tensor whose buffer was stored into}}
  %e = sparse_tensor.convert %s : tensor<2x1xf64, #Slice> to tensor<2x1xf64>
  %r = tensor.extract %e[%c0, %c0] : tensor<2x1xf64>
  vector.print %r : f64
  return
}
