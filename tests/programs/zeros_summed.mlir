// differs: MLIR 22 writes beyond the entries that it has room for
// Terms that are zeros, without an operand, into sparse results of a size that is compiled.
#Vector = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#Rows = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#columns = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
  iterator_types = ["reduction", "parallel"]
}
func.func @main() {
  %d = arith.constant sparse<[[0, 0], [2, 3]], [1.0, 2.0]> : tensor<80x7000xf32>
  %a = sparse_tensor.convert %d : tensor<80x7000xf32> to tensor<80x7000xf32, #Rows>
  %e = tensor.empty() : tensor<7000xf32, #Vector>
  %r = linalg.generic #columns ins(%a : tensor<80x7000xf32, #Rows>) outs(%e : tensor<7000xf32, #Vector>) {
  ^bb0(%x: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %t = arith.addf %o, %z : f32
    linalg.yield %t : f32
  } -> tensor<7000xf32, #Vector>
  %n = sparse_tensor.number_of_entries %r : tensor<7000xf32, #Vector>
  vector.print %n : index
  %s = linalg.generic #columns ins(%a : tensor<80x7000xf32, #Rows>) outs(%e : tensor<7000xf32, #Vector>) {
  ^bb0(%x: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %1 = arith.addf %o, %x : f32
    %t = arith.addf %1, %z : f32
    linalg.yield %t : f32
  } -> tensor<7000xf32, #Vector>
  %m = sparse_tensor.number_of_entries %s : tensor<7000xf32, #Vector>
  vector.print %m : index
  return
}
