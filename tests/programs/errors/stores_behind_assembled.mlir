// A tensor that was assembled from a buffer is in its memory.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 42.0 : f64
  %p = arith.constant dense<[0, 2]> : tensor<2xindex>
  %i = arith.constant dense<[0, 2]> : tensor<2xindex>
  %m = memref.alloc() : memref<2xf64>
  %t = bufferization.to_tensor %m restrict : memref<2xf64> to tensor<2xf64>
  %s = sparse_tensor.assemble (%p, %i), %t : (tensor<2xindex>, tensor<2xindex>), tensor<2xf64> to tensor<3xf64, #V>
  memref.store %x, %m[%c0] : memref<2xf64>
  // expected-error@+1 {{`sparse_tensor.print` reads a tensor whose buffer was stored into}}
  sparse_tensor.print %s : tensor<3xf64, #V>
  return
}
