#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#point = affine_map<(i, j) -> (i, j)>
#t = {
  indexing_maps = [#point, #point, #point, #point, #point, #point, #point, #point, #point, #point],
  iterator_types = ["parallel", "parallel"]
}
!matrix = tensor<100x100xf64, #CSR>
func.func @main() {
  %A = arith.constant sparse<[[0, 1], [7, 9]], [1.0, 2.0]> : tensor<100x100xf64>
  %a = sparse_tensor.convert %A : tensor<100x100xf64> to !matrix
  %b = sparse_tensor.convert %A : tensor<100x100xf64> to !matrix
  %c = sparse_tensor.convert %A : tensor<100x100xf64> to !matrix
  %d = sparse_tensor.convert %A : tensor<100x100xf64> to !matrix
  %f = sparse_tensor.convert %A : tensor<100x100xf64> to !matrix
  %e = tensor.empty() : tensor<100x100xf64>
  %r = linalg.generic #t ins(%a, %b, %c, %d, %f, %a, %b, %c, %d : !matrix, !matrix, !matrix, !matrix, !matrix, !matrix, !matrix, !matrix, !matrix)
      outs(%e : tensor<100x100xf64>) {
    ^bb0(%x: f64, %y: f64, %z: f64, %u: f64, %v: f64, %w: f64, %p: f64, %q: f64, %s: f64, %o: f64):
      %1 = arith.addf %x, %y : f64
      %2 = arith.addf %z, %u : f64
      %3 = arith.addf %v, %w : f64
      %4 = arith.addf %p, %q : f64
      %5 = arith.mulf %1, %2 : f64
      %6 = arith.mulf %3, %4 : f64
      %7 = arith.maximumf %5, %6 : f64
      %8 = arith.maximumf %7, %s : f64
      linalg.yield %8 : f64
  } -> tensor<100x100xf64>
  %i = arith.constant 7 : index
  %j = arith.constant 9 : index
  %n = tensor.extract %r[%i, %j] : tensor<100x100xf64>
  vector.print %n : f64
  return
}
