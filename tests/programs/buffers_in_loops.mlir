// Buffers of tensors, got again and again in loops, and written to at last.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
func.func @sum(%s: tensor<6xf64, #SV>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %p = sparse_tensor.positions %s {level = 0 : index} : tensor<6xf64, #SV> to memref<?xindex>
  %end = memref.load %p[%c1] : memref<?xindex>
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%a = %z) -> f64 {
    %v = sparse_tensor.values %s : tensor<6xf64, #SV> to memref<?xf64>
    %c = sparse_tensor.coordinates %s {level = 0 : index} : tensor<6xf64, #SV> to memref<?xindex>
    %x = memref.load %v[%i] : memref<?xf64>
    %k = memref.load %c[%i] : memref<?xindex>
    vector.print %k : index
    %b = arith.addf %a, %x : f64
    scf.yield %b : f64
  }
  return %r : f64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f = arith.constant 100.0 : f64
  %z = arith.constant 0.0 : f64
  %d = arith.constant dense<[1.5, 0.0, 2.5, 0.0, 0.0, 4.0]> : tensor<6xf64>
  %s = sparse_tensor.convert %d : tensor<6xf64> to tensor<6xf64, #SV>
  %one = call @sum(%s) : (tensor<6xf64, #SV>) -> f64
  %two = call @sum(%s) : (tensor<6xf64, #SV>) -> f64
  vector.print %one : f64
  vector.print %two : f64

  // The same of tuples, and of a dense tensor.
  %e = arith.constant dense<[[0.0, 7.0], [8.0, 9.0]]> : tensor<2x2xf64>
  %coo = sparse_tensor.convert %e : tensor<2x2xf64> to tensor<2x2xf64, #COO>
  scf.for %i = %c0 to %c3 step %c1 {
    %j = sparse_tensor.coordinates %coo {level = 1 : index} : tensor<2x2xf64, #COO> to memref<?xindex, strided<[?], offset: ?>>
    %at = memref.load %j[%i] : memref<?xindex, strided<[?], offset: ?>>
    vector.print %at : index
    %b = bufferization.to_buffer %d read_only : tensor<6xf64> to memref<6xf64>
    %x = memref.load %b[%i] : memref<6xf64>
    vector.print %x : f64
    %w = vector.transfer_read %b[%i], %z : memref<6xf64>, vector<2xf64>
    vector.print %w : vector<2xf64>
  }

  // What is stored into a buffer is in that buffer.
  %v = sparse_tensor.values %s : tensor<6xf64, #SV> to memref<?xf64>
  memref.store %f, %v[%c1] : memref<?xf64>
  %x = memref.load %v[%c0] : memref<?xf64>
  %y = memref.load %v[%c1] : memref<?xf64>
  vector.print %x : f64
  vector.print %y : f64
  return
}
