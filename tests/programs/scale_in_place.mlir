// A result that is its own operand: the stored values change, the structure does not.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

#scale = {
  indexing_maps = [ affine_map<(i,j) -> (i,j)> ],
  iterator_types = ["parallel", "parallel"],
  doc = "X(i,j) = X(i,j) * 2"
}
module {
  func.func @scale(%x: tensor<3x4xf64, #CSR>) -> tensor<3x4xf64, #CSR> {
    %two = arith.constant 2.0 : f64
    %0 = linalg.generic #scale outs(%x : tensor<3x4xf64, #CSR>) {
      ^bb0(%a: f64):
        %1 = arith.mulf %a, %two : f64
        linalg.yield %1 : f64
    } -> tensor<3x4xf64, #CSR>
    return %0 : tensor<3x4xf64, #CSR>
  }
  func.func @main() {
    %a = arith.constant dense<[[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 4.0]]> : tensor<3x4xf64>
    %as = sparse_tensor.convert %a : tensor<3x4xf64> to tensor<3x4xf64, #CSR>
    %0 = call @scale(%as) : (tensor<3x4xf64, #CSR>) -> tensor<3x4xf64, #CSR>
    sparse_tensor.print %0 : tensor<3x4xf64, #CSR>
    return
  }
}
