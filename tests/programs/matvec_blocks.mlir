// Blocks of 2x3.
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense) }>
#matvec = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"],
  doc = "y(i) += A(i, j) * x(j)"
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[1.0, 0.0, 0.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 3.0, 4.0, 5.0], [0.0, 6.0, 0.0, 7.0, 8.0, 9.0], [0.0, 0.0, 0.0, 0.0, 10.0, 11.0]]> : tensor<4x6xf64>
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf64>
  %y = arith.constant dense<1.0> : tensor<4xf64>
  %a = sparse_tensor.convert %dense : tensor<4x6xf64> to tensor<4x6xf64, #A>
  %r = linalg.generic #matvec ins(%a, %x : tensor<4x6xf64, #A>, tensor<6xf64>) outs(%y : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %s: f64):
      %m = arith.mulf %p, %q : f64
      %n = arith.addf %s, %m : f64
      linalg.yield %n : f64
  } -> tensor<4xf64>
  %v = vector.transfer_read %r[%c0], %zero : tensor<4xf64>, vector<4xf64>
  vector.print %v : vector<4xf64>
  return
}
