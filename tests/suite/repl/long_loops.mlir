#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#M = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#C = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed, j : compressed, k : compressed) }>
#i = affine_map<(i, j, k) -> (i)>
#j = affine_map<(i, j, k) -> (j)>
#k = affine_map<(i, j, k) -> (k)>
#ij = affine_map<(i, j, k) -> (i, j)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ik = affine_map<(i, j, k) -> (i, k)>
#ijk = affine_map<(i, j, k) -> (i, j, k)>

func.func @main() {
  %x = arith.constant sparse<[[1], [9]], [5, -6]> : tensor<16xi64>
  %y = arith.constant sparse<[[1, 2], [9, 5]], [-8, 9]> : tensor<16x16xi64>
  %v = sparse_tensor.convert %x : tensor<16xi64> to tensor<16xi64, #V>
  %m = sparse_tensor.convert %y : tensor<16x16xi64> to tensor<16x16xi64, #M>
  %e = tensor.empty() : tensor<16x16x16xi64, #C>
  %t = linalg.generic {indexing_maps = [#i, #i, #ij, #ik, #j, #jk, #k, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v, %v, %m, %m, %v, %m, %v :
          tensor<16xi64, #V>, tensor<16xi64, #V>, tensor<16x16xi64, #M>, tensor<16x16xi64, #M>, tensor<16xi64, #V>, tensor<16x16xi64, #M>, tensor<16xi64, #V>)
      outs(%e : tensor<16x16x16xi64, #C>) {
    ^bb0(%p0: i64, %p1: i64, %p2: i64, %p3: i64, %p4: i64, %p5: i64, %p6: i64, %o: i64):
      %m1 = arith.maxsi %p0, %p1 : i64
      %m2 = arith.minsi %m1, %p2 : i64
      %m3 = arith.maxsi %m2, %p3 : i64
      %m4 = arith.minsi %m3, %p4 : i64
      %m5 = arith.maxsi %m4, %p5 : i64
      %m6 = arith.minsi %m5, %p6 : i64
      linalg.yield %m6 : i64
  } -> tensor<16x16x16xi64, #C>
  %n = sparse_tensor.number_of_entries %t : tensor<16x16x16xi64, #C>
  vector.print %n : index
  return
}
