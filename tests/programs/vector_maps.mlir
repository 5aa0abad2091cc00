// Transfers whose maps permute and repeat dimensions.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f64
  %m = memref.alloc() : memref<3x4xf64>
  %v = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]]> : vector<3x4xf64>
  vector.transfer_write %v, %m[%c0, %c0] : vector<3x4xf64>, memref<3x4xf64>
  %turned = vector.transfer_read %m[%c0, %c0], %pad {permutation_map = affine_map<(i, j) -> (j, i)>} : memref<3x4xf64>, vector<4x3xf64>
  vector.print %turned : vector<4x3xf64>
  %column = vector.transfer_read %m[%c0, %c1], %pad {permutation_map = affine_map<(i, j) -> (i)>} : memref<3x4xf64>, vector<3xf64>
  vector.print %column : vector<3xf64>
  %same = vector.transfer_read %m[%c1, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (0, j)>} : memref<3x4xf64>, vector<2x4xf64>
  vector.print %same : vector<2x4xf64>
  memref.dealloc %m : memref<3x4xf64>
  return
}
