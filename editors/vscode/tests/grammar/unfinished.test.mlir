// SYNTAX TEST "source.mlir" "an encoding that is not closed colours nothing below it"

#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense,
//                                                    ^^^^^ meta.encoding.nnz support.type.level-format.nnz
#Other = affine_map<(i) -> (i)>
// <~---- entity.name.type.alias.mlir - meta.encoding.nnz

#CSR = #sparse_tensor.encoding<{
  map = (i : #sparse_tensor<slice(1,
func.func @f(%a: tensor<8xf64, #sparse_tensor.encoding<{ map = (i) -> (
// <~------ support.function.operation.mlir - meta.encoding.nnz
  %b = arith.addf %c, %c : f64
//^^ variable.other.mlir - meta.encoding.nnz
  return %b : f64
// ^^^^^ - meta.encoding.nnz
}
