// The arrays of a batch of matrices have a row for each.
#B = #sparse_tensor.encoding<{ map = (b, i, j) -> (b : batch, i : dense, j : compressed) }>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bv = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %bp = arith.constant dense<[[0, 2, 3], [0, 1, 3]]> : tensor<2x3xindex>
  %bc = arith.constant dense<[[0, 1, 0], [1, 0, 1]]> : tensor<2x3xindex>
  %t = sparse_tensor.assemble (%bp, %bc), %bv
    : (tensor<2x3xindex>, tensor<2x3xindex>), tensor<2x3xf64> to tensor<2x2x2xf64, #B>
  %p = sparse_tensor.positions %t {level = 2 : index} : tensor<2x2x2xf64, #B> to memref<2x?xindex>
  %x = memref.load %p[%c1, %c1] : memref<2x?xindex>
  vector.print %x : index
  %v = sparse_tensor.values %t : tensor<2x2x2xf64, #B> to memref<2x?xf64>
  %y = memref.load %v[%c1, %c1] : memref<2x?xf64>
  vector.print %y : f64
  %d0 = memref.dim %v, %c0 : memref<2x?xf64>
  %d1 = memref.dim %v, %c1 : memref<2x?xf64>
  vector.print %d0 : index
  vector.print %d1 : index
  %c = sparse_tensor.coordinates %t {level = 2 : index} : tensor<2x2x2xf64, #B> to memref<2x?xindex>
  %z = memref.load %c[%c1, %c0] : memref<2x?xindex>
  vector.print %z : index
  return
}
