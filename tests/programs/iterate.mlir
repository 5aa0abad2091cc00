// differs: MLIR 22 reads iteration spaces and crashes in lowering them
// The entries of a matrix, both levels at once, and one level below the other.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton(soa)) }>

func.func @main() {
  %zero = arith.constant 0.0 : f64
  %d = arith.constant dense<[[0.0, 1.0, 2.0], [0.0, 0.0, 0.0], [3.0, 0.0, 4.0]]> : tensor<3x3xf64>
  %a = sparse_tensor.convert %d : tensor<3x3xf64> to tensor<3x3xf64, #CSR>
  %whole = sparse_tensor.extract_iteration_space %a lvls = 0 to 2 : tensor<3x3xf64, #CSR> -> !sparse_tensor.iter_space<#CSR, lvls = 0 to 2>
  %sum = sparse_tensor.iterate %it in %whole at (%i, %j) iter_args(%s = %zero) : !sparse_tensor.iter_space<#CSR, lvls = 0 to 2> -> f64 {
    %v = sparse_tensor.extract_value %a at %it : tensor<3x3xf64, #CSR>, !sparse_tensor.iterator<#CSR, lvls = 0 to 2>
    vector.print %i : index
    vector.print %j : index
    %n = arith.addf %s, %v : f64
    sparse_tensor.yield %n : f64
  }
  vector.print %sum : f64
  %c = sparse_tensor.convert %d : tensor<3x3xf64> to tensor<3x3xf64, #COO>
  %rows = sparse_tensor.extract_iteration_space %c lvls = 0 : tensor<3x3xf64, #COO> -> !sparse_tensor.iter_space<#COO, lvls = 0>
  sparse_tensor.iterate %row in %rows at (%i) : !sparse_tensor.iter_space<#COO, lvls = 0> {
    vector.print str "row "
    vector.print %i : index
    %columns = sparse_tensor.extract_iteration_space %c at %row lvls = 1
      : tensor<3x3xf64, #COO>, !sparse_tensor.iterator<#COO, lvls = 0> -> !sparse_tensor.iter_space<#COO, lvls = 1>
    sparse_tensor.iterate %column in %columns at (%j) : !sparse_tensor.iter_space<#COO, lvls = 1> {
      %v = sparse_tensor.extract_value %c at %column : tensor<3x3xf64, #COO>, !sparse_tensor.iterator<#COO, lvls = 1>
      vector.print %v : f64
    }
  }
  return
}
