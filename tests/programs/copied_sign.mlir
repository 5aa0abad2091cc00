// differs: what is stored follows the rules of absence, which are of nnz alone
// Whatever sign it takes, an absent value stays zero, and so absent.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#at = affine_map<(i) -> (i)>
func.func @main() {
  %k = arith.constant dense<[0., 2., 0., -1.]> : tensor<4xf64>
  %a = sparse_tensor.convert %k : tensor<4xf64> to tensor<4xf64, #SV>
  %signs = arith.constant dense<[1., -1., -3., 4.]> : tensor<4xf64>
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic { indexing_maps = [#at, #at, #at], iterator_types = ["parallel"] }
    ins(%a, %signs : tensor<4xf64, #SV>, tensor<4xf64>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %1 = math.copysign %x, %y : f64
    linalg.yield %1 : f64
  } -> tensor<4xf64, #SV>
  sparse_tensor.print %r : tensor<4xf64, #SV>
  // The sign of an absent value is that of zero.
  %e2 = tensor.empty() : tensor<4xf64, #SV>
  %s = linalg.generic { indexing_maps = [#at, #at, #at], iterator_types = ["parallel"] }
    ins(%a, %signs : tensor<4xf64, #SV>, tensor<4xf64>) outs(%e2 : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %1 = math.copysign %y, %x : f64
    linalg.yield %1 : f64
  } -> tensor<4xf64, #SV>
  sparse_tensor.print %s : tensor<4xf64, #SV>
  return
}
