// Entries with their loops' numbers: absent ones count too.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"]
}
module {
  func.func @f(%a: tensor<6xi64, #SV>) -> tensor<6xi64, #SV> {
    %e = tensor.empty() : tensor<6xi64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<6xi64, #SV>) outs(%e : tensor<6xi64, #SV>) {
      ^bb0(%x: i64, %o: i64):
        %i = linalg.index 0 : index
        %j = arith.index_cast %i : index to i64
        %1 = arith.muli %x, %j : i64
        linalg.yield %1 : i64
    } -> tensor<6xi64, #SV>
    return %0 : tensor<6xi64, #SV>
  }
  func.func @main() {
    %c = arith.constant sparse<[[0], [2], [5]], [10, 20, 30]> : tensor<6xi64>
    %a = sparse_tensor.convert %c : tensor<6xi64> to tensor<6xi64, #SV>
    %0 = call @f(%a) : (tensor<6xi64, #SV>) -> tensor<6xi64, #SV>
    sparse_tensor.print %0 : tensor<6xi64, #SV>
    return
  }
}
