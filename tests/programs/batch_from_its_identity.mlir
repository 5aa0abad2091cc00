// differs: MLIR 22 cannot convert from a batch level over a dense one
// A reduction into a new tensor that stores every place starts from the identity, whatever its levels are called.
#BD = #sparse_tensor.encoding<{ map = (i, j) -> (i : batch, j : dense) }>
#DD = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : dense) }>
#each = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
  iterator_types = ["parallel", "parallel"]
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %i0 = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %most = arith.constant 9 : i64
  %a = arith.constant dense<[[3, 4]]> : tensor<1x2xi64>
  %e = tensor.empty() : tensor<1x2xi64, #BD>
  %0 = linalg.generic #each ins(%a : tensor<1x2xi64>) outs(%e : tensor<1x2xi64, #BD>) {
  ^bb0(%x: i64, %o: i64):
    %r = sparse_tensor.reduce %o, %x, %one : i64 {
    ^bb0(%p: i64, %q: i64):
      %w = arith.muli %p, %q : i64
      sparse_tensor.yield %w : i64
    }
    linalg.yield %r : i64
  } -> tensor<1x2xi64, #BD>
  %1 = sparse_tensor.convert %0 : tensor<1x2xi64, #BD> to tensor<1x2xi64>
  %v = vector.transfer_read %1[%c0, %c0], %i0 : tensor<1x2xi64>, vector<1x2xi64>
  vector.print %v : vector<1x2xi64>
  %f = bufferization.alloc_tensor() : tensor<1x2xi64, #BD>
  %2 = linalg.generic #each ins(%a : tensor<1x2xi64>) outs(%f : tensor<1x2xi64, #BD>) {
  ^bb0(%x: i64, %o: i64):
    %r = sparse_tensor.reduce %o, %x, %most : i64 {
    ^bb0(%p: i64, %q: i64):
      %w = arith.minsi %p, %q : i64
      sparse_tensor.yield %w : i64
    }
    linalg.yield %r : i64
  } -> tensor<1x2xi64, #BD>
  %3 = sparse_tensor.convert %2 : tensor<1x2xi64, #BD> to tensor<1x2xi64>
  %u = vector.transfer_read %3[%c0, %c0], %i0 : tensor<1x2xi64>, vector<1x2xi64>
  vector.print %u : vector<1x2xi64>
  return
}
