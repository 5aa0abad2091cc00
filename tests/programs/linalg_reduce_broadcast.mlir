// Sums of rows, and a vector repeated in every row.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f64
    %m = arith.constant dense<[[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 4.0]]> : tensor<3x4xf64>
    %a = sparse_tensor.convert %m : tensor<3x4xf64> to tensor<3x4xf64, #CSR>
    %z = arith.constant dense<0.0> : tensor<3xf64>
    %0 = linalg.reduce { arith.addf } ins(%a : tensor<3x4xf64, #CSR>) outs(%z : tensor<3xf64>) dimensions = [1]
    %v = vector.transfer_read %0[%c0], %f0 : tensor<3xf64>, vector<3xf64>
    vector.print %v : vector<3xf64>
    %e = tensor.empty() : tensor<2x3xf64>
    %1 = linalg.broadcast ins(%0 : tensor<3xf64>) outs(%e : tensor<2x3xf64>) dimensions = [0]
    %u = vector.transfer_read %1[%c0, %c0], %f0 : tensor<2x3xf64>, vector<2x3xf64>
    vector.print %u : vector<2x3xf64>
    return
  }
}
