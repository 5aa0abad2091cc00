// The parameters of a function may stand on lines of their own, in a module, too.
#DCSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
module {
  func.func @whole(
      %a: tensor<3x4xf32, #DCSR>, %b: tensor<3x4xf32, #DCSR>) -> tensor<3x4xf32, #DCSR> {
    return %a : tensor<3x4xf32, #DCSR>
  }
  func.func @alone(
        %a: tensor<8x8xf64>,
        %b: tensor<8x8xf64>) -> tensor<8x8xf64> {
    return %b : tensor<8x8xf64>
  }
}
