// differs: MLIR 22 ends with an unresolved materialization
// What is chosen of two operands is stored where it is there.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#trait = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
  iterator_types = ["parallel", "parallel"]
}
func.func @main() {
  %s = arith.constant sparse<[[0, 0], [1, 1]], [5, -1]> : tensor<3x4xi64>
  %t = arith.constant sparse<[[1, 1], [2, 2]], [5, -1]> : tensor<3x4xi64>
  %a = sparse_tensor.convert %s : tensor<3x4xi64> to tensor<3x4xi64, #CSR>
  %b = sparse_tensor.convert %t : tensor<3x4xi64> to tensor<3x4xi64, #CSR>
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<3x4xi64, #CSR>
  %other = linalg.generic #trait ins(%a, %b : tensor<3x4xi64, #CSR>, tensor<3x4xi64, #CSR>) outs(%e : tensor<3x4xi64, #CSR>) {
  ^bb0(%x: i64, %y: i64, %o: i64):
    %c = arith.cmpi ne, %x, %y : i64
    %q = arith.select %c, %x, %y : i64
    linalg.yield %q : i64
  } -> tensor<3x4xi64, #CSR>
  sparse_tensor.print %other : tensor<3x4xi64, #CSR>
  %least = linalg.generic #trait ins(%a, %b : tensor<3x4xi64, #CSR>, tensor<3x4xi64, #CSR>) outs(%e : tensor<3x4xi64, #CSR>) {
  ^bb0(%x: i64, %y: i64, %o: i64):
    %c = arith.cmpi slt, %x, %y : i64
    %q = arith.select %c, %x, %y : i64
    linalg.yield %q : i64
  } -> tensor<3x4xi64, #CSR>
  sparse_tensor.print %least : tensor<3x4xi64, #CSR>
  %masked = linalg.generic #trait ins(%a, %b : tensor<3x4xi64, #CSR>, tensor<3x4xi64, #CSR>) outs(%e : tensor<3x4xi64, #CSR>) {
  ^bb0(%x: i64, %y: i64, %o: i64):
    %c = arith.cmpi sgt, %x, %zero : i64
    %q = arith.select %c, %zero, %y : i64
    linalg.yield %q : i64
  } -> tensor<3x4xi64, #CSR>
  sparse_tensor.print %masked : tensor<3x4xi64, #CSR>
  %kept = linalg.generic #trait ins(%a, %b : tensor<3x4xi64, #CSR>, tensor<3x4xi64, #CSR>) outs(%e : tensor<3x4xi64, #CSR>) {
  ^bb0(%x: i64, %y: i64, %o: i64):
    %c = arith.cmpi sle, %x, %zero : i64
    %q = arith.select %c, %zero, %y : i64
    linalg.yield %q : i64
  } -> tensor<3x4xi64, #CSR>
  sparse_tensor.print %kept : tensor<3x4xi64, #CSR>
  return
}
