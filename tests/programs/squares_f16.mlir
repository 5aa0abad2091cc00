// Entries of the type f16, squared.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"]
}
module {
  func.func @square(%a: tensor<10xf16, #SV>) -> tensor<10xf16, #SV> {
    %e = tensor.empty() : tensor<10xf16, #SV>
    %0 = linalg.generic #op ins(%a : tensor<10xf16, #SV>) outs(%e : tensor<10xf16, #SV>) {
      ^bb0(%x: f16, %o: f16):
        %1 = arith.mulf %x, %x : f16
        linalg.yield %1 : f16
    } -> tensor<10xf16, #SV>
    return %0 : tensor<10xf16, #SV>
  }
  func.func @main() {
    %c = arith.constant sparse<[[1], [4], [9]], [1.5, 0.25, 3.0]> : tensor<10xf16>
    %a = sparse_tensor.convert %c : tensor<10xf16> to tensor<10xf16, #SV>
    %0 = call @square(%a) : (tensor<10xf16, #SV>) -> tensor<10xf16, #SV>
    sparse_tensor.print %0 : tensor<10xf16, #SV>
    return
  }
}
