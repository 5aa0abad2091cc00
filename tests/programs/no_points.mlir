// differs: MLIR 22 crashes on a sparse operand of a dimension of size 0
// Loops without a point yield nothing: no entry is stored, and old ones stay if the body reads them.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#products = {
  indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}
#rows = { indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"] }

func.func @main() {
  %d = arith.constant dense<0.0> : tensor<4x0xf64>
  %x = sparse_tensor.convert %d : tensor<4x0xf64> to tensor<4x0xf64, #CSR>
  %c = arith.constant sparse<[[1, 0]], [3.0]> : tensor<4x4xf64>
  %old = sparse_tensor.convert %c : tensor<4x4xf64> to tensor<4x4xf64, #CSR>
  %least = linalg.generic #products
    ins(%x, %d : tensor<4x0xf64, #CSR>, tensor<4x0xf64>) outs(%old : tensor<4x4xf64, #CSR>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %m = arith.minimumf %a, %b : f64
      %s = arith.addf %o, %m : f64
      linalg.yield %s : f64
  } -> tensor<4x4xf64, #CSR>
  sparse_tensor.print %least : tensor<4x4xf64, #CSR>
  %empty = tensor.empty() : tensor<4x4xf64, #COO>
  %sums = linalg.generic #products
    ins(%x, %d : tensor<4x0xf64, #CSR>, tensor<4x0xf64>) outs(%empty : tensor<4x4xf64, #COO>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %p = arith.addf %a, %b : f64
      %s = arith.addf %o, %p : f64
      linalg.yield %s : f64
  } -> tensor<4x4xf64, #COO>
  sparse_tensor.print %sums : tensor<4x4xf64, #COO>
  %f = arith.constant sparse<[[0], [3]], [-2.0, -2.0]> : tensor<4xf64>
  %g = sparse_tensor.convert %f : tensor<4xf64> to tensor<4xf64, #V>
  %rows = linalg.generic #rows ins(%d : tensor<4x0xf64>) outs(%g : tensor<4xf64, #V>) {
    ^bb0(%a: f64, %o: f64):
      %s = arith.addf %o, %a : f64
      linalg.yield %s : f64
  } -> tensor<4xf64, #V>
  sparse_tensor.print %rows : tensor<4xf64, #V>
  %unread = linalg.generic #rows ins(%d : tensor<4x0xf64>) outs(%g : tensor<4xf64, #V>) {
    ^bb0(%a: f64, %o: f64):
      linalg.yield %a : f64
  } -> tensor<4xf64, #V>
  sparse_tensor.print %unread : tensor<4xf64, #V>
  return
}
