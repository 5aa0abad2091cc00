// A transfer that reaches beyond the edge reads padding and writes what fits.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 7 : i32
  %m = memref.alloc() : memref<4xi32>
  %v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  vector.transfer_write %v, %m[%c0] : vector<4xi32>, memref<4xi32>
  %beyond = vector.transfer_read %m[%c2], %pad : memref<4xi32>, vector<4xi32>
  vector.print %beyond : vector<4xi32>
  vector.transfer_write %v, %m[%c2] : vector<4xi32>, memref<4xi32>
  %after = vector.load %m[%c0] : memref<4xi32>, vector<4xi32>
  vector.print %after : vector<4xi32>
  %two = arith.constant dense<[8, 9]> : vector<2xi32>
  vector.store %two, %m[%c0] : memref<4xi32>, vector<2xi32>
  %last = vector.load %m[%c0] : memref<4xi32>, vector<4xi32>
  vector.print %last : vector<4xi32>
  memref.dealloc %m : memref<4xi32>
  return
}
