// Functions of large and of infinite complex numbers do not overflow on the way to a finite result.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#map = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }
func.func @main() {
  %c = arith.constant dense<[(0x7FF0000000000000, 0.3), (0xFFF0000000000000, -2.0), (0.4, 10000.0), (3.0, 4.0), (800.0, 0.35)]> : tensor<5xcomplex<f64>>
  %a = sparse_tensor.convert %c : tensor<5xcomplex<f64>> to tensor<5xcomplex<f64>, #SV>
  %e = tensor.empty() : tensor<5xcomplex<f64>, #SV>
  %tanh = linalg.generic #map ins(%a : tensor<5xcomplex<f64>, #SV>) outs(%e : tensor<5xcomplex<f64>, #SV>) {
  ^bb0(%x: complex<f64>, %o: complex<f64>):
    %y = complex.tanh %x : complex<f64>
    linalg.yield %y : complex<f64>
  } -> tensor<5xcomplex<f64>, #SV>
  sparse_tensor.print %tanh : tensor<5xcomplex<f64>, #SV>
  %sqrt = linalg.generic #map ins(%a : tensor<5xcomplex<f64>, #SV>) outs(%e : tensor<5xcomplex<f64>, #SV>) {
  ^bb0(%x: complex<f64>, %o: complex<f64>):
    %y = complex.sqrt %x : complex<f64>
    linalg.yield %y : complex<f64>
  } -> tensor<5xcomplex<f64>, #SV>
  sparse_tensor.print %sqrt : tensor<5xcomplex<f64>, #SV>
  %z = complex.constant [0.4, 1.0e4] : complex<f64>
  %tan = complex.tan %z : complex<f64>
  %re = complex.re %tan : complex<f64>
  %im = complex.im %tan : complex<f64>
  vector.print %re : f64
  vector.print %im : f64
  return
}
