// Entries of the type f32, squared.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"]
}
module {
  func.func @square(%a: tensor<10xf32, #SV>) -> tensor<10xf32, #SV> {
    %e = tensor.empty() : tensor<10xf32, #SV>
    %0 = linalg.generic #op ins(%a : tensor<10xf32, #SV>) outs(%e : tensor<10xf32, #SV>) {
      ^bb0(%x: f32, %o: f32):
        %1 = arith.mulf %x, %x : f32
        linalg.yield %1 : f32
    } -> tensor<10xf32, #SV>
    return %0 : tensor<10xf32, #SV>
  }
  func.func @main() {
    %c = arith.constant sparse<[[1], [4], [9]], [1.5, 0.25, 3.0]> : tensor<10xf32>
    %a = sparse_tensor.convert %c : tensor<10xf32> to tensor<10xf32, #SV>
    %0 = call @square(%a) : (tensor<10xf32, #SV>) -> tensor<10xf32, #SV>
    sparse_tensor.print %0 : tensor<10xf32, #SV>
    return
  }
}
