// differs: MLIR 22 prints zeros alone, for a dense operand, too
// A truncation to `i1` keeps the lowest bit, compiled or not: 2 becomes 0.
#each = affine_map<(i) -> (i)>
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %f = arith.constant false
  %a = arith.constant dense<[0, 1, 2, 3, -1, -2]> : tensor<6xi32>
  %s = sparse_tensor.convert %a : tensor<6xi32> to tensor<6xi32, #V>
  %none = arith.constant dense<false> : tensor<6xi1>
  %odd = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
    ins(%s : tensor<6xi32, #V>) outs(%none : tensor<6xi1>) {
      ^bb0(%x: i32, %o: i1):
        %bit = arith.trunci %x : i32 to i1
        linalg.yield %bit : i1
  } -> tensor<6xi1>
  %v = vector.transfer_read %odd[%c0], %f : tensor<6xi1>, vector<6xi1>
  vector.print %v : vector<6xi1>
  return
}
