// Parts that run backwards, or stay where they are.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %back = arith.constant -1 : index
  %z = arith.constant 0.0 : f64
  %r = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %s = tensor.extract_slice %r[3] [2] [-1] : tensor<4xf64> to tensor<2xf64>
  %w = vector.transfer_read %s[%c0], %z : tensor<2xf64>, vector<2xf64>
  vector.print %w : vector<2xf64>
  %t = tensor.extract_slice %r[3] [2] [%back] : tensor<4xf64> to tensor<2xf64>
  %y = vector.transfer_read %t[%c0], %z : tensor<2xf64>, vector<2xf64>
  vector.print %y : vector<2xf64>
  %new = arith.constant dense<[8.0, 9.0]> : tensor<2xf64>
  %i = tensor.insert_slice %new into %r[3] [2] [-2] : tensor<2xf64> into tensor<4xf64>
  %x = vector.transfer_read %i[%c0], %z : tensor<4xf64>, vector<4xf64>
  vector.print %x : vector<4xf64>
  %m = memref.alloc() : memref<4xindex>
  memref.store %c2, %m[%c0] : memref<4xindex>
  %v = memref.subview %m[3] [4] [-1] : memref<4xindex> to memref<4xindex, strided<[-1], offset: 3>>
  %c3 = arith.constant 3 : index
  %last = memref.load %v[%c3] : memref<4xindex, strided<[-1], offset: 3>>
  vector.print %last : index
  %u = memref.subview %m[0] [3] [0] : memref<4xindex> to memref<3xindex, strided<[0]>>
  %same = memref.load %u[%c2] : memref<3xindex, strided<[0]>>
  vector.print %same : index
  memref.dealloc %m : memref<4xindex>
  return
}
