// Maps that the generic syntax of a named kernel remembers: here of the transposed matrix.
func.func @main() {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %v = arith.constant dense<[10.0, 100.0]> : tensor<2xf64>
  %w = arith.constant dense<0.0> : tensor<2xf64>
  %r = "linalg.matvec"(%a, %v, %w) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x: f64, %y: f64, %z: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %z, %p : f64
    linalg.yield %s : f64
  }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]} : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %c = arith.constant 0 : index
  %f = arith.constant 0.0 : f64
  %t = vector.transfer_read %r[%c], %f : tensor<2xf64>, vector<2xf64>
  vector.print %t : vector<2xf64>
  return
}
