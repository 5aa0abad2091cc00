// Whether MLIR's run-time library holds the tensors: it does not, arrays are worked on themselves.
func.func @main() {
  %flag = sparse_tensor.has_runtime_library
  vector.print %flag : i1
  return
}
