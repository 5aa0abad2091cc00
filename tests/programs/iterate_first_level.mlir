// differs: MLIR 22 reads iteration spaces and crashes in lowering them
// A loop over two levels that names the coordinate of the first alone.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @main() {
  %d = arith.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf64>
  %a = sparse_tensor.convert %d : tensor<2x2xf64> to tensor<2x2xf64, #CSR>
  %l = sparse_tensor.extract_iteration_space %a lvls = 0 to 2
    : tensor<2x2xf64, #CSR> -> !sparse_tensor.iter_space<#CSR, lvls = 0 to 2>
  sparse_tensor.iterate %it in %l at(%i) : !sparse_tensor.iter_space<#CSR, lvls = 0 to 2> {
    vector.print %i : index
  }
  return
}
