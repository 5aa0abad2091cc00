// A sparse operand that the body does not read has no say in what is stored: zeros of a dense operand are left out.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @main() {
  %d = arith.constant dense<[1.0, 0.0, 2.0]> : tensor<3xf64>
  %s = arith.constant sparse<[[1]], [5.0]> : tensor<3xf64>
  %S = sparse_tensor.convert %s : tensor<3xf64> to tensor<3xf64, #SV>
  %e = tensor.empty() : tensor<3xf64, #SV>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%d, %S : tensor<3xf64>, tensor<3xf64, #SV>) outs(%e : tensor<3xf64, #SV>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    linalg.yield %x : f64
  } -> tensor<3xf64, #SV>
  sparse_tensor.print %r : tensor<3xf64, #SV>
  return
}
