// A product with maps of its own: the first factor is turned; and a contraction.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %d = arith.constant dense<[[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]> : tensor<2x3xf64>
  %s = sparse_tensor.convert %d : tensor<2x3xf64> to tensor<2x3xf64, #CSR>
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %init = arith.constant dense<0.0> : tensor<3x2xf64>
  %r = linalg.matmul indexing_maps = [#a, #b, #c]
    ins(%s, %x : tensor<2x3xf64, #CSR>, tensor<2x2xf64>) outs(%init : tensor<3x2xf64>) -> tensor<3x2xf64>
  %v = vector.transfer_read %r[%c0, %c0], %zero : tensor<3x2xf64>, vector<3x2xf64>
  vector.print %v : vector<3x2xf64>
  %t = linalg.contract indexing_maps = [#a, #b, #c]
    ins(%s, %x : tensor<2x3xf64, #CSR>, tensor<2x2xf64>) outs(%r : tensor<3x2xf64>) -> tensor<3x2xf64>
  %u = vector.transfer_read %t[%c0, %c0], %zero : tensor<3x2xf64>, vector<3x2xf64>
  vector.print %u : vector<3x2xf64>
  return
}
