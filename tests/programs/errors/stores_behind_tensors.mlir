// A store into the buffer of a dense tensor that is used further on, through another view of it.
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 42.0 : f64
  %m = memref.alloc() : memref<2x2xf64>
  %row = memref.subview %m[0, 0] [1, 2] [1, 1] : memref<2x2xf64> to memref<1x2xf64, strided<[2, 1]>>
  %t = bufferization.to_tensor %m restrict : memref<2x2xf64> to tensor<2x2xf64>
  memref.store %x, %row[%c0, %c0] : memref<1x2xf64, strided<[2, 1]>>
  // expected-error@+1 {{`tensor.extract` reads a tensor whose buffer was stored into}}
  %r = tensor.extract %t[%c0, %c0] : tensor<2x2xf64>
  vector.print %r : f64
  return
}
