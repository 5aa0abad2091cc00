// Stores into the buffers of tensors that are used no further, and tensors made behind the stores.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = arith.constant 42.0 : f64
  %d = arith.constant dense<[1.0, 0.0, 2.0]> : tensor<3xf64>
  %a = sparse_tensor.convert %d : tensor<3xf64> to tensor<3xf64, #V>
  %v = sparse_tensor.values %a : tensor<3xf64, #V> to memref<?xf64>
  memref.store %x, %v[%c0] : memref<?xf64>
  %r = memref.load %v[%c0] : memref<?xf64>
  vector.print %r : f64
  %m = memref.alloc() : memref<3xf64>
  scf.for %i = %c0 to %c3 step %c1 {
    memref.store %x, %m[%i] : memref<3xf64>
  }
  %t = bufferization.to_tensor %m restrict : memref<3xf64> to tensor<3xf64>
  %s = tensor.extract %t[%c1] : tensor<3xf64>
  vector.print %s : f64
  bufferization.dealloc_tensor %a : tensor<3xf64, #V>
  return
}
