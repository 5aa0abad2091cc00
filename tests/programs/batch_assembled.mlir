// differs: MLIR counts the entries of one matrix of the batch
// A batch of matrices, assembled of arrays with a row for each.
#BCSR = #sparse_tensor.encoding<{ map = (b, i, j) -> (b : batch, i : dense, j : compressed) }>

func.func @main() {
  %values = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 0.0]]> : tensor<2x3xf64>
  %positions = arith.constant dense<[[0, 2, 3], [0, 1, 2]]> : tensor<2x3xindex>
  %coordinates = arith.constant dense<[[0, 2, 1], [3, 1, 0]]> : tensor<2x3xindex>
  %t = sparse_tensor.assemble (%positions, %coordinates), %values
    : (tensor<2x3xindex>, tensor<2x3xindex>), tensor<2x3xf64> to tensor<2x2x4xf64, #BCSR>
  %n = sparse_tensor.number_of_entries %t : tensor<2x2x4xf64, #BCSR>
  vector.print %n : index
  %v = tensor.empty() : tensor<2x3xf64>
  %p = tensor.empty() : tensor<2x3xindex>
  %c = tensor.empty() : tensor<2x3xindex>
  // How long the arrays of a batch are, comes as a tensor, too.
  %ps, %cs, %vs, %pn, %cn, %vn = sparse_tensor.disassemble %t : tensor<2x2x4xf64, #BCSR>
    out_lvls(%p, %c : tensor<2x3xindex>, tensor<2x3xindex>) out_vals(%v : tensor<2x3xf64>)
    -> (tensor<2x3xindex>, tensor<2x3xindex>), tensor<2x3xf64>, (i32, tensor<i64>), index
  vector.print %pn : i32
  %length = tensor.extract %cn[] : tensor<i64>
  vector.print %length : i64
  vector.print %vn : index
  return
}
