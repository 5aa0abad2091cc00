// A zero that a region yields is a factor like any other, also where a dense copy of an operand is read.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#shifted = {
  indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i, k)>],
  iterator_types = ["parallel", "parallel"]
}

func.func @main() {
  %d = arith.constant sparse<[[1]], [2.0]> : tensor<4xf64>
  %x = sparse_tensor.convert %d : tensor<4xf64> to tensor<4xf64, #V>
  %w = arith.constant dense<[3.0, 0.0]> : tensor<2xf64>
  %e = tensor.empty() : tensor<3x2xf64, #CSR>
  %z = arith.constant 0.0 : f64
  %r = linalg.generic #shifted ins(%x, %w : tensor<4xf64, #V>, tensor<2xf64>) outs(%e : tensor<3x2xf64, #CSR>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %u = sparse_tensor.unary %a : f64 to f64
        present={ ^bb0(%p: f64): sparse_tensor.yield %p : f64 }
        absent={ sparse_tensor.yield %z : f64 }
      %m = arith.mulf %u, %b : f64
      linalg.yield %m : f64
  } -> tensor<3x2xf64, #CSR>
  sparse_tensor.print %r : tensor<3x2xf64, #CSR>
  return
}
