// A function that takes the name of a file.
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
func.func @read(%name: !llvm.ptr) -> tensor<?x?xf64, #COO> {
  %t = sparse_tensor.new %name : !llvm.ptr to tensor<?x?xf64, #COO>
  return %t : tensor<?x?xf64, #COO>
}
