// differs: what is stored follows the rules of absence, which are of nnz alone
// An operation that an absent operand forces to zero is absent there, and stores nothing.
#S = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#at = affine_map<(i) -> (i)>

func.func @main() {
  %d = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %c = arith.constant sparse<[[1]], [5]> : tensor<3xi32>
  %s = sparse_tensor.convert %c : tensor<3xi32> to tensor<3xi32, #S>
  %e0 = tensor.empty() : tensor<3xi32, #S>
  %r0 = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%s, %d : tensor<3xi32, #S>, tensor<3xi32>) outs(%e0 : tensor<3xi32, #S>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %z = arith.minui %a, %b : i32
      linalg.yield %z : i32
  } -> tensor<3xi32, #S>
  sparse_tensor.print %r0 : tensor<3xi32, #S>
  %e1 = tensor.empty() : tensor<3xi32, #S>
  %r1 = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%s, %d : tensor<3xi32, #S>, tensor<3xi32>) outs(%e1 : tensor<3xi32, #S>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %z = arith.shli %a, %b : i32
      linalg.yield %z : i32
  } -> tensor<3xi32, #S>
  sparse_tensor.print %r1 : tensor<3xi32, #S>
  %e2 = tensor.empty() : tensor<3xi32, #S>
  %r2 = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%s, %d : tensor<3xi32, #S>, tensor<3xi32>) outs(%e2 : tensor<3xi32, #S>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %z = arith.shrui %a, %b : i32
      linalg.yield %z : i32
  } -> tensor<3xi32, #S>
  sparse_tensor.print %r2 : tensor<3xi32, #S>
  %e3 = tensor.empty() : tensor<3xi32, #S>
  %r3 = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%s, %d : tensor<3xi32, #S>, tensor<3xi32>) outs(%e3 : tensor<3xi32, #S>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %z = arith.shrsi %a, %b : i32
      linalg.yield %z : i32
  } -> tensor<3xi32, #S>
  sparse_tensor.print %r3 : tensor<3xi32, #S>
  %e4 = tensor.empty() : tensor<3xi32, #S>
  %r4 = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%s, %d : tensor<3xi32, #S>, tensor<3xi32>) outs(%e4 : tensor<3xi32, #S>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %low, %h = arith.mului_extended %a, %b : i32
      linalg.yield %low : i32
  } -> tensor<3xi32, #S>
  sparse_tensor.print %r4 : tensor<3xi32, #S>
  %e5 = tensor.empty() : tensor<3xi32, #S>
  %r5 = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%s, %d : tensor<3xi32, #S>, tensor<3xi32>) outs(%e5 : tensor<3xi32, #S>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %low, %h = arith.mulsi_extended %a, %b : i32
      linalg.yield %low : i32
  } -> tensor<3xi32, #S>
  sparse_tensor.print %r5 : tensor<3xi32, #S>
  %e6 = tensor.empty() : tensor<3xi1, #S>
  %r6 = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%s, %d : tensor<3xi32, #S>, tensor<3xi32>) outs(%e6 : tensor<3xi1, #S>) {
    ^bb0(%a: i32, %b: i32, %o: i1):
      %z = arith.cmpi ugt, %a, %b : i32
      linalg.yield %z : i1
  } -> tensor<3xi1, #S>
  sparse_tensor.print %r6 : tensor<3xi1, #S>
  %e7 = tensor.empty() : tensor<3xi1, #S>
  %r7 = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%s, %d : tensor<3xi32, #S>, tensor<3xi32>) outs(%e7 : tensor<3xi1, #S>) {
    ^bb0(%a: i32, %b: i32, %o: i1):
      %z = arith.cmpi ult, %b, %a : i32
      linalg.yield %z : i1
  } -> tensor<3xi1, #S>
  sparse_tensor.print %r7 : tensor<3xi1, #S>
  return
}
