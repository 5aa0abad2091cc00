// A store into the buffer of a dense tensor of which a part was taken.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 42.0 : f64
  %m = memref.alloc() : memref<6xf64>
  linalg.fill ins(%x : f64) outs(%m : memref<6xf64>)
  %t = bufferization.to_tensor %m restrict : memref<6xf64> to tensor<6xf64>
  %s = tensor.extract_slice %t[1] [3] [1] : tensor<6xf64> to tensor<3xf64>
  %before = tensor.extract %s[%c0] : tensor<3xf64>
  memref.store %before, %m[%c1] : memref<6xf64>
  // expected-error@+1 {{`tensor.extract` reads a tensor whose buffer was stored into}}
  %after = tensor.extract %s[%c0] : tensor<3xf64>
  vector.print %after : f64
  return
}
