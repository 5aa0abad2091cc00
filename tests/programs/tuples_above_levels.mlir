// differs: MLIR 22 does not insert below a run of tuples
// Results with tuples above a compressed level, or above other tuples.
#C = #sparse_tensor.encoding<{ map = (i,j,k) -> (i : compressed, j : compressed, k : compressed) }>
#R = #sparse_tensor.encoding<{ map = (i,j,k) -> (i : compressed(nonunique), j : singleton, k : compressed) }>
#D = #sparse_tensor.encoding<{ map = (i,j,k) -> (k : dense, i : compressed(nonunique), j : singleton(soa)) }>
#S = #sparse_tensor.encoding<{ map = (i,j,k,l) -> (i : compressed(nonunique), j : singleton(soa), k : compressed(nonunique), l : singleton(soa)) }>
#B = #sparse_tensor.encoding<{ map = (i,j,k,l) -> (l : dense, i : compressed(nonunique), j : singleton, k : compressed) }>
#at = affine_map<(i,j,k) -> (i,j,k)>
#all = affine_map<(i,j,k,l) -> (i,j,k,l)>
#three = affine_map<(i,j,k,l) -> (i,j,k)>
#turned = affine_map<(i,j,k) -> (k,j,i)>
func.func @main() {
  %d = arith.constant dense<[[[1.0, 2.0], [0.0, 3.0]], [[0.0, 0.0], [4.0, 0.0]]]> : tensor<2x2x2xf64>
  %a = sparse_tensor.convert %d : tensor<2x2x2xf64> to tensor<2x2x2xf64, #C>
  %e = tensor.empty() : tensor<2x2x2xf64, #R>
  %r = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<2x2x2xf64, #C>) outs(%e : tensor<2x2x2xf64, #R>) {
    ^bb0(%p: f64, %o: f64):
      %s = arith.addf %p, %p : f64
      linalg.yield %s : f64
  } -> tensor<2x2x2xf64, #R>
  sparse_tensor.print %r : tensor<2x2x2xf64, #R>
  %t = linalg.generic {indexing_maps = [#turned, #at], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<2x2x2xf64, #C>) outs(%e : tensor<2x2x2xf64, #R>) {
    ^bb0(%p: f64, %o: f64):
      linalg.yield %p : f64
  } -> tensor<2x2x2xf64, #R>
  sparse_tensor.print %t : tensor<2x2x2xf64, #R>
  %ed = tensor.empty() : tensor<2x2x2xf64, #D>
  %x = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<2x2x2xf64, #C>) outs(%ed : tensor<2x2x2xf64, #D>) {
    ^bb0(%p: f64, %o: f64):
      linalg.yield %p : f64
  } -> tensor<2x2x2xf64, #D>
  sparse_tensor.print %x : tensor<2x2x2xf64, #D>
  %es = tensor.empty() : tensor<2x2x2x2xf64, #S>
  %b = linalg.generic {indexing_maps = [#three, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<2x2x2xf64, #C>) outs(%es : tensor<2x2x2x2xf64, #S>) {
    ^bb0(%p: f64, %o: f64):
      linalg.yield %p : f64
  } -> tensor<2x2x2x2xf64, #S>
  sparse_tensor.print %b : tensor<2x2x2x2xf64, #S>
  %eb = tensor.empty() : tensor<2x2x2x2xf64, #B>
  %c = linalg.generic {indexing_maps = [#three, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<2x2x2xf64, #C>) outs(%eb : tensor<2x2x2x2xf64, #B>) {
    ^bb0(%p: f64, %o: f64):
      linalg.yield %p : f64
  } -> tensor<2x2x2x2xf64, #B>
  sparse_tensor.print %c : tensor<2x2x2x2xf64, #B>
  %m = linalg.generic {indexing_maps = [#all, #three], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%b : tensor<2x2x2x2xf64, #S>) outs(%e : tensor<2x2x2xf64, #R>) {
    ^bb0(%p: f64, %o: f64):
      %s = arith.addf %o, %p : f64
      linalg.yield %s : f64
  } -> tensor<2x2x2xf64, #R>
  sparse_tensor.print %m : tensor<2x2x2xf64, #R>
  return
}
