// A choice that keeps zero: stored entries below zero become stored zeros.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"]
}
module {
  func.func @relu(%a: tensor<10xf64, #SV>) -> tensor<10xf64, #SV> {
    %z = arith.constant 0.0 : f64
    %e = tensor.empty() : tensor<10xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<10xf64, #SV>) outs(%e : tensor<10xf64, #SV>) {
      ^bb0(%x: f64, %o: f64):
        %1 = arith.cmpf ogt, %x, %z : f64
        %2 = arith.select %1, %x, %z : f64
        linalg.yield %2 : f64
    } -> tensor<10xf64, #SV>
    return %0 : tensor<10xf64, #SV>
  }
  func.func @main() {
    %c = arith.constant sparse<[[1], [4], [9]], [1.5, -2.0, 3.0]> : tensor<10xf64>
    %a = sparse_tensor.convert %c : tensor<10xf64> to tensor<10xf64, #SV>
    %0 = call @relu(%a) : (tensor<10xf64, #SV>) -> tensor<10xf64, #SV>
    sparse_tensor.print %0 : tensor<10xf64, #SV>
    return
  }
}
