// Tensors of three dimensions in several orders.
#CSF = #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : compressed, d1 : compressed, d2 : compressed) }>
#CSFR = #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d2 : compressed, d0 : compressed, d1 : compressed) }>
#T3D = #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : dense, d1 : dense, d2 : compressed) }>
#COO3 = #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : compressed(nonunique), d1 : singleton(nonunique), d2 : singleton) }>
module {
  func.func @main() {
    %a = arith.constant dense<[[[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]], [[0.0, 0.0], [3.0, 0.0], [4.0, 5.0]]]> : tensor<2x3x2xf64>
    %0 = sparse_tensor.convert %a : tensor<2x3x2xf64> to tensor<2x3x2xf64, #CSF>
    %1 = sparse_tensor.convert %0 : tensor<2x3x2xf64, #CSF> to tensor<2x3x2xf64, #CSFR>
    %2 = sparse_tensor.convert %1 : tensor<2x3x2xf64, #CSFR> to tensor<2x3x2xf64, #T3D>
    %3 = sparse_tensor.convert %2 : tensor<2x3x2xf64, #T3D> to tensor<2x3x2xf64, #COO3>
    sparse_tensor.print %0 : tensor<2x3x2xf64, #CSF>
    sparse_tensor.print %1 : tensor<2x3x2xf64, #CSFR>
    sparse_tensor.print %2 : tensor<2x3x2xf64, #T3D>
    sparse_tensor.print %3 : tensor<2x3x2xf64, #COO3>
    return
  }
}
