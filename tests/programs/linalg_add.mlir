// linalg.add of two sparse matrices.
#DCSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>
module {
  func.func @f(%a: tensor<3x4xf64, #DCSR>, %b: tensor<3x4xf64, #DCSR>) -> tensor<3x4xf64, #DCSR> {
    %e = tensor.empty() : tensor<3x4xf64, #DCSR>
    %0 = linalg.add ins(%a, %b : tensor<3x4xf64, #DCSR>, tensor<3x4xf64, #DCSR>)
      outs(%e : tensor<3x4xf64, #DCSR>) -> tensor<3x4xf64, #DCSR>
    return %0 : tensor<3x4xf64, #DCSR>
  }
  func.func @main() {
    %m = arith.constant dense<[[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 4.0]]> : tensor<3x4xf64>
    %n = arith.constant dense<[[5.0, 6.0, 0.0, 0.0], [0.0, 7.0, 0.0, 0.0], [0.0, -3.0, 0.0, 0.5]]> : tensor<3x4xf64>
    %a = sparse_tensor.convert %m : tensor<3x4xf64> to tensor<3x4xf64, #DCSR>
    %b = sparse_tensor.convert %n : tensor<3x4xf64> to tensor<3x4xf64, #DCSR>
    %0 = call @f(%a, %b) : (tensor<3x4xf64, #DCSR>, tensor<3x4xf64, #DCSR>) -> tensor<3x4xf64, #DCSR>
    sparse_tensor.print %0 : tensor<3x4xf64, #DCSR>
    return
  }
}
