// Views of buffers, their sizes, casts and copies.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %x = arith.constant 4.5 : f64
  %m = memref.alloc() : memref<4x4xf64>
  %v = arith.constant dense<1.0> : vector<4x4xf64>
  vector.transfer_write %v, %m[%c0, %c0] : vector<4x4xf64>, memref<4x4xf64>
  %part = memref.subview %m[1, 2] [2, 2] [1, 1] : memref<4x4xf64> to memref<2x2xf64, strided<[4, 1], offset: 6>>
  memref.store %x, %part[%c1, %c0] : memref<2x2xf64, strided<[4, 1], offset: 6>>
  %open = memref.cast %m : memref<4x4xf64> to memref<?x?xf64>
  %size = memref.dim %open, %c1 : memref<?x?xf64>
  vector.print %size : index
  %one = memref.load %open[%c2, %c2] : memref<?x?xf64>
  vector.print %one : f64
  %n = memref.alloc() : memref<4x4xf64>
  memref.copy %m, %n : memref<4x4xf64> to memref<4x4xf64>
  %all = vector.transfer_read %n[%c0, %c0], %zero : memref<4x4xf64>, vector<4x4xf64>
  vector.print %all : vector<4x4xf64>
  memref.dealloc %m : memref<4x4xf64>
  memref.dealloc %n : memref<4x4xf64>
  return
}
