// A condition for the whole chooses a value of any kind.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @main() {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f64
  %yes = arith.constant true
  %no = arith.constant false
  %one = arith.constant dense<[[0.0, 1.0], [2.0, 0.0]]> : tensor<2x2xf64>
  %other = arith.constant dense<[[5.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf64>
  %a = sparse_tensor.convert %one : tensor<2x2xf64> to tensor<2x2xf64, #CSR>
  %b = sparse_tensor.convert %other : tensor<2x2xf64> to tensor<2x2xf64, #CSR>
  %r = arith.select %no, %a, %b : tensor<2x2xf64, #CSR>
  sparse_tensor.print %r : tensor<2x2xf64, #CSR>
  %d = arith.select %yes, %one, %other : tensor<2x2xf64>
  %v = vector.transfer_read %d[%c0, %c0], %z : tensor<2x2xf64>, vector<2x2xf64>
  vector.print %v : vector<2x2xf64>
  // The buffer itself, not a copy.
  %m = memref.alloc() : memref<2xf64>
  %n = memref.alloc() : memref<2xf64>
  memref.store %z, %m[%c0] : memref<2xf64>
  %f = arith.constant 7.5 : f64
  %p = arith.select %yes, %m, %n : memref<2xf64>
  memref.store %f, %p[%c0] : memref<2xf64>
  %x = memref.load %m[%c0] : memref<2xf64>
  vector.print %x : f64
  bufferization.dealloc_tensor %a : tensor<2x2xf64, #CSR>
  bufferization.dealloc_tensor %b : tensor<2x2xf64, #CSR>
  memref.dealloc %m : memref<2xf64>
  memref.dealloc %n : memref<2xf64>
  return
}
