// Union and intersection of two matrices.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#DCSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>
#ewise = {
  indexing_maps = [ affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i,j)> ],
  iterator_types = ["parallel", "parallel"],
  doc = "X(i,j) = A(i,j) OP B(i,j)"
}
module {
  func.func @add(%a: tensor<3x4xf64, #CSR>, %b: tensor<3x4xf64, #CSR>) -> tensor<3x4xf64, #CSR> {
    %init = tensor.empty() : tensor<3x4xf64, #CSR>
    %0 = linalg.generic #ewise
      ins(%a, %b : tensor<3x4xf64, #CSR>, tensor<3x4xf64, #CSR>) outs(%init : tensor<3x4xf64, #CSR>) {
      ^bb0(%x: f64, %y: f64, %z: f64):
        %1 = arith.addf %x, %y : f64
        linalg.yield %1 : f64
    } -> tensor<3x4xf64, #CSR>
    return %0 : tensor<3x4xf64, #CSR>
  }
  func.func @mul(%a: tensor<3x4xf64, #CSR>, %b: tensor<3x4xf64, #DCSR>) -> tensor<3x4xf64, #DCSR> {
    %init = tensor.empty() : tensor<3x4xf64, #DCSR>
    %0 = linalg.generic #ewise
      ins(%a, %b : tensor<3x4xf64, #CSR>, tensor<3x4xf64, #DCSR>) outs(%init : tensor<3x4xf64, #DCSR>) {
      ^bb0(%x: f64, %y: f64, %z: f64):
        %1 = arith.mulf %x, %y : f64
        linalg.yield %1 : f64
    } -> tensor<3x4xf64, #DCSR>
    return %0 : tensor<3x4xf64, #DCSR>
  }
  func.func @sub(%a: tensor<3x4xf64, #DCSR>, %b: tensor<3x4xf64, #CSR>) -> tensor<3x4xf64, #CSR> {
    %init = tensor.empty() : tensor<3x4xf64, #CSR>
    %0 = linalg.generic #ewise
      ins(%a, %b : tensor<3x4xf64, #DCSR>, tensor<3x4xf64, #CSR>) outs(%init : tensor<3x4xf64, #CSR>) {
      ^bb0(%x: f64, %y: f64, %z: f64):
        %1 = arith.subf %x, %y : f64
        linalg.yield %1 : f64
    } -> tensor<3x4xf64, #CSR>
    return %0 : tensor<3x4xf64, #CSR>
  }
  func.func @main() {
    %a = arith.constant dense<[[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 4.0]]> : tensor<3x4xf64>
    %b = arith.constant dense<[[5.0, 6.0, 0.0, 0.0], [0.0, 7.0, 0.0, 0.0], [0.0, -3.0, 0.0, 0.5]]> : tensor<3x4xf64>
    %as = sparse_tensor.convert %a : tensor<3x4xf64> to tensor<3x4xf64, #CSR>
    %bs = sparse_tensor.convert %b : tensor<3x4xf64> to tensor<3x4xf64, #CSR>
    %ad = sparse_tensor.convert %a : tensor<3x4xf64> to tensor<3x4xf64, #DCSR>
    %bd = sparse_tensor.convert %b : tensor<3x4xf64> to tensor<3x4xf64, #DCSR>
    %0 = call @add(%as, %bs) : (tensor<3x4xf64, #CSR>, tensor<3x4xf64, #CSR>) -> tensor<3x4xf64, #CSR>
    %1 = call @mul(%as, %bd) : (tensor<3x4xf64, #CSR>, tensor<3x4xf64, #DCSR>) -> tensor<3x4xf64, #DCSR>
    %2 = call @sub(%ad, %bs) : (tensor<3x4xf64, #DCSR>, tensor<3x4xf64, #CSR>) -> tensor<3x4xf64, #CSR>
    sparse_tensor.print %0 : tensor<3x4xf64, #CSR>
    sparse_tensor.print %1 : tensor<3x4xf64, #DCSR>
    sparse_tensor.print %2 : tensor<3x4xf64, #CSR>
    bufferization.dealloc_tensor %0 : tensor<3x4xf64, #CSR>
    bufferization.dealloc_tensor %1 : tensor<3x4xf64, #DCSR>
    bufferization.dealloc_tensor %2 : tensor<3x4xf64, #CSR>
    return
  }
}
