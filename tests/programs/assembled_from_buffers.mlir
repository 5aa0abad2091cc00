// A tensor that is assembled from buffers is in their memory.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 42.0 : f64
  %y = arith.constant 7.0 : f64
  %p = arith.constant dense<[0, 2]> : tensor<2xindex>
  %i = arith.constant dense<[0, 2, 0]> : tensor<3xindex>
  %m = memref.alloc() : memref<4xf64>
  linalg.fill ins(%x : f64) outs(%m : memref<4xf64>)
  %t = bufferization.to_tensor %m restrict : memref<4xf64> to tensor<4xf64>
  %s = sparse_tensor.assemble (%p, %i), %t : (tensor<2xindex>, tensor<3xindex>), tensor<4xf64> to tensor<3xf64, #V>
  %v = sparse_tensor.values %s : tensor<3xf64, #V> to memref<?xf64>
  memref.store %y, %m[%c0] : memref<4xf64>
  %v0 = memref.load %v[%c0] : memref<?xf64>
  vector.print %v0 : f64
  memref.store %y, %v[%c1] : memref<?xf64>
  %m1 = memref.load %m[%c1] : memref<4xf64>
  vector.print %m1 : f64
  %n = memref.dim %v, %c0 : memref<?xf64>
  vector.print %n : index
  return
}
