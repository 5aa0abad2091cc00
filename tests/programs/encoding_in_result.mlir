// The encoding of the result is written out, and a region is empty over two lines.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#each = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }
func.func @none_present(%b: tensor<4xf64, #SV>) -> tensor<4xf64, #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>>
    attributes { func.func } {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %1 = linalg.generic #each ins(%b : tensor<4xf64, #SV>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%in: f64, %out: f64):
    %2 = sparse_tensor.unary %in : f64 to f64
      present = {
      }
      absent = {
        %c = arith.constant 3.0 : f64
        sparse_tensor.yield %c : f64
      }
    linalg.yield %2 : f64
  } -> tensor<4xf64, #SV>
  return %1 : tensor<4xf64, #SV>
}
func.func @main() {
  %d = arith.constant dense<[0.0, 1.0, 0.0, 2.0]> : tensor<4xf64>
  %s = sparse_tensor.convert %d : tensor<4xf64> to tensor<4xf64, #SV>
  %r = call @none_present(%s) : (tensor<4xf64, #SV>) -> tensor<4xf64, #SV>
  sparse_tensor.print %r : tensor<4xf64, #SV>
  bufferization.dealloc_tensor %s : tensor<4xf64, #SV>
  bufferization.dealloc_tensor %r : tensor<4xf64, #SV>
  return
}
