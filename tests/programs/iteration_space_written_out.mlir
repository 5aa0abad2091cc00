// differs: MLIR 22 reads iteration spaces and cannot lower them
// Types with the encoding written out, as MLIR prints them with local scope.
#kept = [!sparse_tensor.storage_specifier<<{ map = (i) -> (i : compressed) }>>, 1]
!space = !sparse_tensor.iter_space<<{ map = (i, j) -> (i : compressed, j : compressed) }>, lvls = 0>
func.func @main() attributes {foo.kept = #kept} {
  %a = arith.constant dense<[[1.0, 0.0], [0.0, 0.0], [2.0, 3.0]]> : tensor<3x2xf64>
  %s = sparse_tensor.convert %a : tensor<3x2xf64> to tensor<3x2xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = sparse_tensor.extract_iteration_space %s lvls = 0 : tensor<3x2xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>> -> !sparse_tensor.iter_space<<{ map = (i, j) -> (i : compressed, j : compressed) }>, lvls = 0>
  %1 = sparse_tensor.iterate %it in %0 iter_args(%n = %c0) : !space -> index {
    %2 = arith.addi %n, %c1 : index
    sparse_tensor.yield %2 : index
  }
  vector.print %1 : index
  %l:2 = sparse_tensor.crd_translate dim_to_lvl [%c1, %c0] as <{ map = (i, j) -> (j : dense, i : compressed) }> : index, index
  vector.print %l#1 : index
  return
}
