// Entries of the type i64, squared.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"]
}
module {
  func.func @square(%a: tensor<10xi64, #SV>) -> tensor<10xi64, #SV> {
    %e = tensor.empty() : tensor<10xi64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<10xi64, #SV>) outs(%e : tensor<10xi64, #SV>) {
      ^bb0(%x: i64, %o: i64):
        %1 = arith.muli %x, %x : i64
        linalg.yield %1 : i64
    } -> tensor<10xi64, #SV>
    return %0 : tensor<10xi64, #SV>
  }
  func.func @main() {
    %c = arith.constant sparse<[[1], [4], [9]], [-7, 5, 3]> : tensor<10xi64>
    %a = sparse_tensor.convert %c : tensor<10xi64> to tensor<10xi64, #SV>
    %0 = call @square(%a) : (tensor<10xi64, #SV>) -> tensor<10xi64, #SV>
    sparse_tensor.print %0 : tensor<10xi64, #SV>
    return
  }
}
