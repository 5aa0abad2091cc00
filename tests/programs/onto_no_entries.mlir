// Three sparse factors added to a result without entries: only what all of them store is in the result.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#DCSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#m = affine_map<(i, j) -> (i, j)>
func.func @main() {
  %A = arith.constant dense<[[1., 0., 3.], [0., 0., 0.], [0., 2., 0.]]> : tensor<3x3xf64>
  %B = arith.constant dense<[[2., 5., 0.], [0., 7., 0.], [0., 2., 0.]]> : tensor<3x3xf64>
  %a = sparse_tensor.convert %A : tensor<3x3xf64> to tensor<3x3xf64, #CSR>
  %b = sparse_tensor.convert %B : tensor<3x3xf64> to tensor<3x3xf64, #CSR>
  %e = tensor.empty() : tensor<3x3xf64, #DCSR>
  %r = linalg.generic {indexing_maps = [#m, #m, #m, #m], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b, %a : tensor<3x3xf64, #CSR>, tensor<3x3xf64, #CSR>, tensor<3x3xf64, #CSR>) outs(%e : tensor<3x3xf64, #DCSR>) {
    ^bb0(%x: f64, %y: f64, %z: f64, %o: f64):
      %p = arith.mulf %x, %y : f64
      %q = arith.mulf %p, %z : f64
      %s = arith.addf %o, %q : f64
      linalg.yield %s : f64
  } -> tensor<3x3xf64, #DCSR>
  sparse_tensor.print %r : tensor<3x3xf64, #DCSR>

  // An `index` has a sign in `absi`.
  %c0 = arith.constant 0 : index
  %n = arith.constant dense<[-3, 5]> : tensor<2xindex>
  %f = tensor.empty() : tensor<2xindex>
  %t = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]}
    ins(%n : tensor<2xindex>) outs(%f : tensor<2xindex>) {
    ^bb0(%x: index, %o: index):
      %y = math.absi %x : index
      linalg.yield %y : index
  } -> tensor<2xindex>
  %v = vector.transfer_read %t[%c0], %c0 : tensor<2xindex>, vector<2xindex>
  vector.print %v : vector<2xindex>
  return
}
