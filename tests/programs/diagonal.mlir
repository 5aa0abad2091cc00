// differs: MLIR 22 declines A[i, i] of a sparse matrix
// The diagonal of a sparse matrix.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"]
}
module {
  func.func @diagonal(%a: tensor<3x3xf64, #CSR>) -> tensor<3xf64> {
    %e = tensor.empty() : tensor<3xf64>
    %0 = linalg.generic #op ins(%a : tensor<3x3xf64, #CSR>) outs(%e : tensor<3xf64>) {
      ^bb0(%x: f64, %o: f64):
        linalg.yield %x : f64
    } -> tensor<3xf64>
    return %0 : tensor<3xf64>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f64
    %c = arith.constant sparse<[[0, 0], [1, 2], [2, 2]], [1.0, 2.0, 3.0]> : tensor<3x3xf64>
    %a = sparse_tensor.convert %c : tensor<3x3xf64> to tensor<3x3xf64, #CSR>
    %0 = call @diagonal(%a) : (tensor<3x3xf64, #CSR>) -> tensor<3xf64>
    %v = vector.transfer_read %0[%c0], %f0 : tensor<3xf64>, vector<3xf64>
    vector.print %v : vector<3xf64>
    return
  }
}
