// A store into the values of a tensor that is used further on: MLIR's tensor would change with it.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 42.0 : f64
  %d = arith.constant dense<[1.0, 0.0, 2.0]> : tensor<3xf64>
  %a = sparse_tensor.convert %d : tensor<3xf64> to tensor<3xf64, #V>
  %n = sparse_tensor.number_of_entries %a : tensor<3xf64, #V>
  %v = sparse_tensor.values %a : tensor<3xf64, #V> to memref<?xf64>
  memref.store %x, %v[%c0] : memref<?xf64>
  // expected-error@+1 {{`sparse_tensor.convert` reads a tensor whose buffer was stored into}}
  %e = sparse_tensor.convert %a : tensor<3xf64, #V> to tensor<3xf64>
  %r = tensor.extract %e[%c0] : tensor<3xf64>
  vector.print %r : f64
  return
}
