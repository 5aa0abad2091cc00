// differs: MLIR 22 ends with an unresolved materialization
// A product goes on from an old infinity: every term is taken in, what is absent as a zero.
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : compressed, i : compressed) }>
#trait = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %c0_i64 = arith.constant 0 : i64
  %s = arith.constant sparse<[[0, 0], [0, 1], [1, 1], [2, 0], [2, 1]], [2.0, 3.0, -1.0, 0.0, 1.0]> : tensor<4x2xf64>
  %a = sparse_tensor.convert %s : tensor<4x2xf64> to tensor<4x2xf64, #CSC>
  %o = arith.constant dense<0x7FF0000000000000> : tensor<4xf64>
  %p = linalg.generic #trait ins(%a : tensor<4x2xf64, #CSC>) outs(%o : tensor<4xf64>) {
  ^bb0(%x: f64, %y: f64):
    %q = arith.mulf %y, %x : f64
    linalg.yield %q : f64
  } -> tensor<4xf64>
  // Signs of NaN are the processor's.
  %nan = arith.cmpf uno, %p, %p : tensor<4xf64>
  %isnan = arith.extui %nan : tensor<4xi1> to tensor<4xi64>
  %v = vector.transfer_read %isnan[%c0], %c0_i64 : tensor<4xi64>, vector<4xi64>
  vector.print %v : vector<4xi64>
  %negative = arith.constant dense<-3.0> : tensor<4xf64>
  %r = linalg.generic #trait ins(%a : tensor<4x2xf64, #CSC>) outs(%negative : tensor<4xf64>) {
  ^bb0(%x: f64, %y: f64):
    %half = arith.divf %x, %two : f64
    %q = arith.mulf %half, %y : f64
    linalg.yield %q : f64
  } -> tensor<4xf64>
  %w = vector.transfer_read %r[%c0], %zero : tensor<4xf64>, vector<4xf64>
  vector.print %w : vector<4xf64>
  return
}
