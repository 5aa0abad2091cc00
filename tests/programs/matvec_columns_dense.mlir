// A compressed level of columns above dense rows.
#A = #sparse_tensor.encoding<{ map = (i, j) -> (j : compressed, i : dense) }>
#matvec = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"],
  doc = "y(i) += A(i, j) * x(j)"
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[0.0, 1.0, 2.0, 0.0, 3.0], [4.0, 0.0, 5.0, 0.0, 6.0], [0.0, 7.0, 0.0, 0.0, 0.0]]> : tensor<3x5xf64>
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf64>
  %y = arith.constant dense<1.0> : tensor<3xf64>
  %a = sparse_tensor.convert %dense : tensor<3x5xf64> to tensor<3x5xf64, #A>
  %r = linalg.generic #matvec ins(%a, %x : tensor<3x5xf64, #A>, tensor<5xf64>) outs(%y : tensor<3xf64>) {
    ^bb0(%p: f64, %q: f64, %s: f64):
      %m = arith.mulf %p, %q : f64
      %n = arith.addf %s, %m : f64
      linalg.yield %n : f64
  } -> tensor<3xf64>
  %v = vector.transfer_read %r[%c0], %zero : tensor<3xf64>, vector<3xf64>
  vector.print %v : vector<3xf64>
  return
}
