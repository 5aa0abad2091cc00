// Transfers with masks: what is left out is padding, or stays as it was.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant -1.0 : f64
  %t = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf64>
  %first = vector.create_mask %c3 : vector<4xi1>
  %row = vector.transfer_read %t[%c0, %c0], %pad, %first : tensor<2x4xf64>, vector<4xf64>
  vector.print %row : vector<4xf64>
  %corner = vector.constant_mask [1, 2] : vector<2x4xi1>
  %both = vector.transfer_read %t[%c0, %c0], %pad, %corner : tensor<2x4xf64>, vector<2x4xf64>
  vector.print %both : vector<2x4xf64>
  %v = arith.constant dense<9.0> : vector<4xf64>
  %m = memref.alloc() : memref<2x4xf64>
  %all = vector.transfer_read %t[%c0, %c0], %pad : tensor<2x4xf64>, vector<2x4xf64>
  vector.transfer_write %all, %m[%c0, %c0] : vector<2x4xf64>, memref<2x4xf64>
  %two = vector.create_mask %c2 : vector<4xi1>
  vector.transfer_write %v, %m[%c0, %c0], %two : vector<4xf64>, memref<2x4xf64>
  %after = vector.transfer_read %m[%c0, %c0], %pad : memref<2x4xf64>, vector<2x4xf64>
  vector.print %after : vector<2x4xf64>
  memref.dealloc %m : memref<2x4xf64>
  return
}
