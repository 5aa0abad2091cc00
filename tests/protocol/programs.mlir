// Kernels that a run of `@main` reaches, and one that none reaches.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
#spmv = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
func.func @spmv(%A: tensor<3x4xf64, #CSR>, %x: tensor<4xf64>) -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<3xf64>
  %y0 = linalg.fill ins(%zero : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
  %y = linalg.generic #spmv ins(%A, %x : tensor<3x4xf64, #CSR>, tensor<4xf64>) outs(%y0 : tensor<3xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %c, %p : f64
    linalg.yield %s : f64
  } -> tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func @other(%x: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.copy ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}
func.func @main() {
  %d = arith.constant sparse<[[0, 1], [2, 0], [2, 3]], [1.0, 2.0, 3.0]> : tensor<3x4xf64>
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %A = sparse_tensor.convert %d : tensor<3x4xf64> to tensor<3x4xf64, #CSR>
  %y = func.call @spmv(%A, %x) : (tensor<3x4xf64, #CSR>, tensor<4xf64>) -> tensor<3xf64>
  %B = sparse_tensor.convert %A : tensor<3x4xf64, #CSR> to tensor<3x4xf64, #CSC>
  %c = arith.constant 7 : i32
  vector.print %c : i32
  return
}
