// A product that is a negative zero stays one in a dense result.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
#id = affine_map<(i) -> (i)>
#both = affine_map<(i, j) -> (i, j)>
func.func @main() {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f64
  %s = arith.constant sparse<[[0], [2]], [-1.5, 1.5]> : tensor<4xf64>
  %a = sparse_tensor.convert %s : tensor<4xf64> to tensor<4xf64, #SV>
  %b = arith.constant dense<0.0> : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%a, %b : tensor<4xf64, #SV>, tensor<4xf64>) outs(%b : tensor<4xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = arith.mulf %x, %y : f64
    linalg.yield %p : f64
  } -> tensor<4xf64>
  %v = vector.transfer_read %r[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v : vector<4xf64>
  %t = arith.constant sparse<[[0, 1], [1, 0]], [-1.5, 1.5]> : tensor<2x2xf64>
  %m = sparse_tensor.convert %t : tensor<2x2xf64> to tensor<2x2xf64, #CSC>
  %d = arith.constant dense<0.0> : tensor<2x2xf64>
  %n = linalg.generic {indexing_maps = [#both, #both, #both], iterator_types = ["parallel", "parallel"]}
    ins(%m, %d : tensor<2x2xf64, #CSC>, tensor<2x2xf64>) outs(%d : tensor<2x2xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = arith.mulf %y, %x : f64
    linalg.yield %p : f64
  } -> tensor<2x2xf64>
  %w = vector.transfer_read %n[%c0, %c0], %f0 : tensor<2x2xf64>, vector<2x2xf64>
  vector.print %w : vector<2x2xf64>
  return
}
