// A sum of three matrices, each in its own encoding.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#DCSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
#sum = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
  iterator_types = ["parallel", "parallel"]
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %a = arith.constant sparse<[[0, 0], [2, 1]], [1.0, 2.0]> : tensor<3x3xf64>
  %b = arith.constant sparse<[[0, 0], [1, 2]], [3.0, 4.0]> : tensor<3x3xf64>
  %c = arith.constant sparse<[[2, 1], [2, 2]], [5.0, 6.0]> : tensor<3x3xf64>
  %s = sparse_tensor.convert %a : tensor<3x3xf64> to tensor<3x3xf64, #CSR>
  %t = sparse_tensor.convert %b : tensor<3x3xf64> to tensor<3x3xf64, #DCSR>
  %u = sparse_tensor.convert %c : tensor<3x3xf64> to tensor<3x3xf64, #CSC>
  %o = arith.constant dense<0.0> : tensor<3x3xf64>
  %r = linalg.generic #sum ins(%s, %t, %u : tensor<3x3xf64, #CSR>, tensor<3x3xf64, #DCSR>, tensor<3x3xf64, #CSC>) outs(%o : tensor<3x3xf64>) {
    ^bb0(%x: f64, %y: f64, %z: f64, %old: f64):
      %p = arith.addf %x, %y : f64
      %q = arith.addf %p, %z : f64
      linalg.yield %q : f64
  } -> tensor<3x3xf64>
  %v = vector.transfer_read %r[%c0, %c0], %zero : tensor<3x3xf64>, vector<3x3xf64>
  vector.print %v : vector<3x3xf64>
  return
}
