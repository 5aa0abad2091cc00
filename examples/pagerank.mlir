// Twenty steps of PageRank over a small graph: r = 0.85 * P * r + 0.15 / n, P stored by columns.
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>

#step = {
  indexing_maps = [
    affine_map<(i, j) -> (i, j)>,
    affine_map<(i, j) -> (j)>,
    affine_map<(i, j) -> (i)>
  ],
  iterator_types = ["parallel", "reduction"],
  doc = "y(i) += 0.85 * P(i, j) * r(j)"
}

func.func @step(%P: tensor<4x4xf64, #CSC>, %r: tensor<4xf64>) -> tensor<4xf64> {
  %damping = arith.constant 0.85 : f64
  %jump = arith.constant 0.0375 : f64
  %e = tensor.empty() : tensor<4xf64>
  %y = linalg.fill ins(%jump : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %0 = linalg.generic #step ins(%P, %r : tensor<4x4xf64, #CSC>, tensor<4xf64>) outs(%y : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %s: f64):
      %1 = arith.mulf %p, %q : f64
      %2 = arith.mulf %1, %damping : f64
      %3 = arith.addf %s, %2 : f64
      linalg.yield %3 : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant 0.0 : f64
  // Column j holds where page j links to, in equal parts.
  %links = arith.constant sparse<[[1, 0], [2, 0], [2, 1], [0, 2], [0, 3], [2, 3]], [0.5, 0.5, 1.0, 1.0, 0.5, 0.5]> : tensor<4x4xf64>
  %P = sparse_tensor.convert %links : tensor<4x4xf64> to tensor<4x4xf64, #CSC>
  %start = arith.constant dense<0.25> : tensor<4xf64>
  %r = scf.for %k = %c0 to %c20 step %c1 iter_args(%r = %start) -> (tensor<4xf64>) {
    %next = func.call @step(%P, %r) : (tensor<4x4xf64, #CSC>, tensor<4xf64>) -> tensor<4xf64>
    scf.yield %next : tensor<4xf64>
  }
  %v = vector.transfer_read %r[%c0], %zero : tensor<4xf64>, vector<4xf64>
  vector.print %v : vector<4xf64>
  return
}
