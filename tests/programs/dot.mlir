// The inner product of two sparse vectors, and of a sparse and a dense one.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
module {
  func.func @dot(%a: tensor<8xf32, #SV>, %b: tensor<8xf32, #SV>, %x: tensor<f32>) -> tensor<f32> {
    %0 = linalg.dot ins(%a, %b : tensor<8xf32, #SV>, tensor<8xf32, #SV>) outs(%x : tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @main() {
    %a = arith.constant sparse<[[0], [2], [5]], [1.0, 2.0, 3.0]> : tensor<8xf32>
    %b = arith.constant sparse<[[2], [4], [5]], [10.0, 20.0, 30.0]> : tensor<8xf32>
    %as = sparse_tensor.convert %a : tensor<8xf32> to tensor<8xf32, #SV>
    %bs = sparse_tensor.convert %b : tensor<8xf32> to tensor<8xf32, #SV>
    %x = arith.constant dense<0.0> : tensor<f32>
    %0 = call @dot(%as, %bs, %x) : (tensor<8xf32, #SV>, tensor<8xf32, #SV>, tensor<f32>) -> tensor<f32>
    %v = tensor.extract %0[] : tensor<f32>
    vector.print %v : f32
    return
  }
}
