// Sums, differences and products of complex numbers, in kernels too.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#each = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
  iterator_types = ["parallel"]
}

func.func @main() {
  %a = arith.constant sparse<[[0], [2], [3]], [(1.0, 2.0), (0.5, -1.0), (3.0, 0.0)]> : tensor<5xcomplex<f64>>
  %b = arith.constant sparse<[[0], [1], [3]], [(2.0, 0.0), (1.0, 1.0), (0.0, -2.0)]> : tensor<5xcomplex<f64>>
  %s = sparse_tensor.convert %a : tensor<5xcomplex<f64>> to tensor<5xcomplex<f64>, #V>
  %t = sparse_tensor.convert %b : tensor<5xcomplex<f64>> to tensor<5xcomplex<f64>, #V>
  %e = tensor.empty() : tensor<5xcomplex<f64>, #V>
  %p = linalg.generic #each ins(%s, %t : tensor<5xcomplex<f64>, #V>, tensor<5xcomplex<f64>, #V>) outs(%e : tensor<5xcomplex<f64>, #V>) {
    ^bb0(%x: complex<f64>, %y: complex<f64>, %o: complex<f64>):
      %r = complex.mul %x, %y : complex<f64>
      linalg.yield %r : complex<f64>
  } -> tensor<5xcomplex<f64>, #V>
  sparse_tensor.print %p : tensor<5xcomplex<f64>, #V>
  %f = tensor.empty() : tensor<5xcomplex<f64>, #V>
  %d = linalg.generic #each ins(%s, %t : tensor<5xcomplex<f64>, #V>, tensor<5xcomplex<f64>, #V>) outs(%f : tensor<5xcomplex<f64>, #V>) {
    ^bb0(%x: complex<f64>, %y: complex<f64>, %o: complex<f64>):
      %r = complex.sub %x, %y : complex<f64>
      linalg.yield %r : complex<f64>
  } -> tensor<5xcomplex<f64>, #V>
  sparse_tensor.print %d : tensor<5xcomplex<f64>, #V>
  return
}
