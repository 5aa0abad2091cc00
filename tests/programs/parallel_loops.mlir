// Loops whose iterations do not depend on each other run one after another.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %f0 = arith.constant 0.0 : f64
  %m = memref.alloc() : memref<3x5xf64>
  linalg.fill ins(%f0 : f64) outs(%m : memref<3x5xf64>)
  scf.parallel (%i, %j) = (%c0, %c1) to (%c3, %c5) step (%c1, %c2) {
    %p = arith.muli %i, %j : index
    %n = arith.index_cast %p : index to i64
    %v = arith.sitofp %n : i64 to f64
    memref.store %v, %m[%i, %j] : memref<3x5xf64>
    scf.reduce
  }
  scf.parallel (%i) = (%c3) to (%c0) step (%c1) {
    memref.store %f0, %m[%i, %i] : memref<3x5xf64>
  }
  %v = vector.transfer_read %m[%c0, %c0], %f0 : memref<3x5xf64>, vector<3x5xf64>
  vector.print %v : vector<3x5xf64>
  return
}
