// Views that drop dimensions of size 1.
func.func @main() {
  %m = memref.alloc() : memref<3x4xf64>
  %f = arith.constant 1.5 : f64
  %c1 = arith.constant 1 : index
  %n = arith.constant 2 : index
  %s = memref.subview %m[1, 0] [1, 4] [1, 1] : memref<3x4xf64> to memref<4xf64, strided<[1], offset: 4>>
  memref.store %f, %s[%c1] : memref<4xf64, strided<[1], offset: 4>>
  %x = memref.load %m[%c1, %c1] : memref<3x4xf64>
  vector.print %x : f64
  %c = memref.subview %m[0, %c1] [3, 1] [1, 1] : memref<3x4xf64> to memref<3xf64, strided<[4], offset: ?>>
  %y = memref.load %c[%c1] : memref<3xf64, strided<[4], offset: ?>>
  vector.print %y : f64
  %o = memref.subview %m[1, %c1] [1, 1] [1, 1] : memref<3x4xf64> to memref<f64, strided<[], offset: ?>>
  %z = memref.load %o[] : memref<f64, strided<[], offset: ?>>
  vector.print %z : f64
  %first = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<3x4xf64> to memref<4xf64>
  memref.store %f, %first[%c1] : memref<4xf64>
  %t = memref.subview %m[0, %c1] [%n, 1] [%n, 1] : memref<3x4xf64> to memref<?xf64, strided<[?], offset: ?>>
  %w = memref.load %t[%c1] : memref<?xf64, strided<[?], offset: ?>>
  vector.print %w : f64
  %m1 = memref.alloc() : memref<1x4x1xf64>
  %a = memref.subview %m1[0, 0, 0] [1, 2, 1] [1, 1, 1] : memref<1x4x1xf64> to memref<1x2xf64, strided<[4, 1]>>
  %d = memref.dim %a, %c1 : memref<1x2xf64, strided<[4, 1]>>
  vector.print %d : index
  return
}
