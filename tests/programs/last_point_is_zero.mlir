// differs: MLIR crashes on a reduction that does not read what it reduces into
// The last point says what the entry is: a zero there leaves none.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#last = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
          iterator_types = ["parallel", "reduction"] }
func.func @main() {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f64
  %d = arith.constant dense<[[3., 0.], [0., 4.], [5., 6.]]> : tensor<3x2xf64>
  %e = tensor.empty() : tensor<3xf64, #SV>
  %sparse = linalg.generic #last ins(%d : tensor<3x2xf64>) outs(%e : tensor<3xf64, #SV>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<3xf64, #SV>
  sparse_tensor.print %sparse : tensor<3xf64, #SV>
  %e2 = tensor.empty() : tensor<3xf64>
  %dense = linalg.generic #last ins(%d : tensor<3x2xf64>) outs(%e2 : tensor<3xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<3xf64>
  %v = vector.transfer_read %dense[%c0], %z : tensor<3xf64>, vector<3xf64>
  vector.print %v : vector<3xf64>
  return
}
