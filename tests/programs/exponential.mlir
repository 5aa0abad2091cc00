// differs: MLIR 22 cannot compile functions that do not keep zero over a sparse operand
// The exponential of a sparse vector, which is dense.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"]
}
module {
  func.func @exp(%a: tensor<5xf64, #SV>) -> tensor<5xf64> {
    %e = tensor.empty() : tensor<5xf64>
    %0 = linalg.generic #op ins(%a : tensor<5xf64, #SV>) outs(%e : tensor<5xf64>) {
      ^bb0(%x: f64, %o: f64):
        %1 = math.exp %x : f64
        linalg.yield %1 : f64
    } -> tensor<5xf64>
    return %0 : tensor<5xf64>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f64
    %c = arith.constant sparse<[[1], [4]], [1.0, -1.0]> : tensor<5xf64>
    %a = sparse_tensor.convert %c : tensor<5xf64> to tensor<5xf64, #SV>
    %0 = call @exp(%a) : (tensor<5xf64, #SV>) -> tensor<5xf64>
    %v = vector.transfer_read %0[%c0], %f0 : tensor<5xf64>, vector<5xf64>
    vector.print %v : vector<5xf64>
    return
  }
}
