// Buffers of one array of a tensor are one memory, also within calls, and so is the buffer that a tensor was made of.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
func.func @store(%a: tensor<2xf64, #V>, %x: f64) {
  %c1 = arith.constant 1 : index
  %v = sparse_tensor.values %a : tensor<2xf64, #V> to memref<?xf64>
  memref.store %x, %v[%c1] : memref<?xf64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 42.0 : f64
  %y = arith.constant 7.0 : f64
  %d = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %a = sparse_tensor.convert %d : tensor<2xf64> to tensor<2xf64, #V>
  %v = sparse_tensor.values %a : tensor<2xf64, #V> to memref<?xf64>
  %w = sparse_tensor.values %a : tensor<2xf64, #V> to memref<?xf64>
  %p = sparse_tensor.positions %a {level = 0 : index} : tensor<2xf64, #V> to memref<?xindex>
  %q = sparse_tensor.positions %a {level = 0 : index} : tensor<2xf64, #V> to memref<?xindex>
  memref.store %c1, %p[%c1] : memref<?xindex>
  %q1 = memref.load %q[%c1] : memref<?xindex>
  vector.print %q1 : index
  memref.store %x, %v[%c0] : memref<?xf64>
  %w0 = memref.load %w[%c0] : memref<?xf64>
  vector.print %w0 : f64

  %b = sparse_tensor.convert %d : tensor<2xf64> to tensor<2xf64, #V>
  %bv = sparse_tensor.values %b : tensor<2xf64, #V> to memref<?xf64>
  func.call @store(%b, %y) : (tensor<2xf64, #V>, f64) -> ()
  %bv1 = memref.load %bv[%c1] : memref<?xf64>
  vector.print %bv1 : f64

  %m = arith.constant dense<[[0.0, 1.0], [2.0, 0.0]]> : tensor<2x2xf64>
  %coo = sparse_tensor.convert %m : tensor<2x2xf64> to tensor<2x2xf64, #COO>
  %ij = sparse_tensor.coordinates_buffer %coo : tensor<2x2xf64, #COO> to memref<?xindex>
  %j = sparse_tensor.coordinates %coo {level = 1 : index} : tensor<2x2xf64, #COO> to memref<?xindex, strided<[?], offset: ?>>
  memref.store %c0, %ij[%c1] : memref<?xindex>
  %j0 = memref.load %j[%c0] : memref<?xindex, strided<[?], offset: ?>>
  vector.print %j0 : index

  %n = memref.alloc() : memref<3xf64>
  linalg.fill ins(%x : f64) outs(%n : memref<3xf64>)
  %t = bufferization.to_tensor %n restrict writable : memref<3xf64> to tensor<3xf64>
  %row = tensor.expand_shape %t [[0, 1]] output_shape [1, 3] : tensor<3xf64> into tensor<1x3xf64>
  %tb = bufferization.to_buffer %row : tensor<1x3xf64> to memref<1x3xf64>
  memref.store %y, %tb[%c0, %c1] : memref<1x3xf64>
  %n1 = memref.load %n[%c1] : memref<3xf64>
  vector.print %n1 : f64
  memref.store %y, %n[%c0] : memref<3xf64>
  %tb0 = memref.load %tb[%c0, %c0] : memref<1x3xf64>
  vector.print %tb0 : f64
  return
}
