// Entries of the type bf16, squared.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"]
}
module {
  func.func @square(%a: tensor<10xbf16, #SV>) -> tensor<10xbf16, #SV> {
    %e = tensor.empty() : tensor<10xbf16, #SV>
    %0 = linalg.generic #op ins(%a : tensor<10xbf16, #SV>) outs(%e : tensor<10xbf16, #SV>) {
      ^bb0(%x: bf16, %o: bf16):
        %1 = arith.mulf %x, %x : bf16
        linalg.yield %1 : bf16
    } -> tensor<10xbf16, #SV>
    return %0 : tensor<10xbf16, #SV>
  }
  func.func @main() {
    %c = arith.constant sparse<[[1], [4], [9]], [1.5, 0.25, 3.0]> : tensor<10xbf16>
    %a = sparse_tensor.convert %c : tensor<10xbf16> to tensor<10xbf16, #SV>
    %0 = call @square(%a) : (tensor<10xbf16, #SV>) -> tensor<10xbf16, #SV>
    sparse_tensor.print %0 : tensor<10xbf16, #SV>
    return
  }
}
