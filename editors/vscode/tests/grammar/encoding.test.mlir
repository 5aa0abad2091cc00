// SYNTAX TEST "source.mlir" "encodings inside MLIR"

#CSR = #sparse_tensor.encoding<{
// <---- entity.name.type.alias.mlir
//     ^^^^^^^^^^^^^^ support.type.dialect.nnz
//                    ^^^^^^^^ support.type.attribute.nnz
  map = (i, j) -> (i : dense, j : compressed(nonunique)), posWidth = 32
//^^^ keyword.other.key.nnz
//       ^ variable.parameter.dimension.nnz
//                     ^^^^^ support.type.level-format.nnz
//                                ^^^^^^^^^^ support.type.level-format.nnz
//                                           ^^^^^^^^^ storage.modifier.level-property.nnz
//                                                        ^^^^^^^^ keyword.other.key.nnz
//                                                                   ^^ constant.numeric.nnz
}>
// <- punctuation.section.body.end.nnz

#Old = #sparse_tensor<encoding<{ map = (dense) -> (dense : densee) }>>
//                                      ^^^^^ variable.parameter.dimension.nnz
//                                                 ^^^^^ variable.parameter.dimension.nnz
//                                                         ^^^^^^ - support.type.level-format.nnz
//                                                                  ^^^ - variable.parameter.dimension.nnz

#Block = #sparse_tensor.encoding<{ map = (i) -> (i floordiv 2 : compressed, i mod 2 : dense) }>
//                                                 ^^^^^^^^ keyword.operator.word.nnz
//                                                            ^^^^^^^^^^ - variable.parameter.dimension.nnz

#Slice = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(1, ?, 2)>, j) -> (i : dense, j : compressed) }>
//                                            ^^^^^^^^^^^^^^ support.type.dialect.nnz
//                                                                    ^ constant.language.dynamic.nnz
//                                                                                                  ^^^^^^^^^^ support.type.level-format.nnz

#One = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 1.0 : f64 }>
//                                                                            ^^^ constant.numeric.nnz
//                                                                                  ^^^ storage.type.nnz

"not #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>"
// <~~---------- string.quoted.double.mlir
//                                                ^^^^^ - support.type.level-format.nnz

%0 = sparse_tensor.convert %A : tensor<8x?xf64, #CSR> to tensor<8x8xf64>
// <-- variable.other.mlir
//   ^^^^^^^^^^^^^^^^^^^^^ support.function.operation.mlir
//                              ^^^^^^ storage.type.mlir
//                                     ^^^^ constant.numeric.shape.mlir
//                                         ^^^ storage.type.element.mlir
//                                              ^^^^ entity.name.type.alias.mlir
