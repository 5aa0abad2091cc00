// Lists of numbers that do not go with the dimensions: paddings, parts, groups of dimensions, constants.
func.func @paddings(%d: tensor<2x2xf64>, %x: f64) {
  // expected-error@+1 {{1 number of `low` for a tensor of 2 dimensions}}
  %0 = tensor.pad %d low[1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f64
  } : tensor<2x2xf64> to tensor<3x2xf64>
  // expected-error@+1 {{3 numbers of `high` for a tensor of 2 dimensions}}
  %1 = tensor.pad %d low[1, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f64
  } : tensor<2x2xf64> to tensor<3x2xf64>
  return
}
func.func @parts(%d: tensor<4x4xf64>, %p: tensor<2x3xf64>, %row: tensor<3xf64>, %m: memref<4xf64>) {
  // expected-error@+1 {{the part has size 2 in dimension 1, and `%p` 3}}
  %0 = tensor.insert_slice %p into %d[0, 0] [2, 2] [1, 1] : tensor<2x3xf64> into tensor<4x4xf64>
  // expected-error@+1 {{the part is 1x4, and `%row` is `tensor<3xf64>`}}
  %1 = tensor.insert_slice %row into %d[0, 0] [1, 4] [1, 1] : tensor<3xf64> into tensor<4x4xf64>
  // expected-error@+1 {{the part is 2x4, and the result is `tensor<4xf64>`}}
  %2 = tensor.extract_slice %d[0, 0] [2, 4] [1, 1] : tensor<4x4xf64> to tensor<4xf64>
  // expected-error@+1 {{the part reaches beyond dimension 0 of `%m`, which has size 4}}
  %3 = memref.subview %m[2] [3] [1] : memref<4xf64> to memref<3xf64, strided<[1], offset: 2>>
  return
}
func.func @groups(%d: tensor<2x3xf64>, %open: tensor<?x3xf64>, %six: tensor<6xf64>, %sizes: tensor<1x2xindex>, %three: tensor<3xindex>) {
  // expected-error@+1 {{`reassociation` names each of 2 dimensions once, in their order}}
  %0 = tensor.collapse_shape %d [[1, 0]] : tensor<2x3xf64> into tensor<6xf64>
  // expected-error@+1 {{`reassociation` names each of 2 dimensions once, in their order}}
  %1 = tensor.collapse_shape %d [[0, 7]] : tensor<2x3xf64> into tensor<6xf64>
  // expected-error@+1 {{`reassociation` names each of 2 dimensions once, in their order}}
  %2 = tensor.expand_shape %six [[5, 2]] output_shape [2, 3] : tensor<6xf64> into tensor<2x3xf64>
  // expected-error@+1 {{dimension 1 of the result has another size in `static_output_shape`}}
  %3 = tensor.expand_shape %six [[0, 1]] output_shape [2, 2] : tensor<6xf64> into tensor<2x3xf64>
  // expected-error@+1 {{dimension 0 of `tensor<6xf64>` has size 6, and its group of dimensions `?` entries}}
  %4 = tensor.collapse_shape %open [[0, 1]] : tensor<?x3xf64> into tensor<6xf64>
  // expected-error@+1 {{dimension 0 of `tensor<2x3xf64>` has size 2, and its group of dimensions 3 entries}}
  %5 = tensor.expand_shape %d [[0], [1, 2]] output_shape [3, 2, 1] : tensor<2x3xf64> into tensor<3x2x1xf64>
  // expected-error@+1 {{a tensor of one dimension says the shape, not `tensor<1x2xindex>`}}
  %6 = tensor.reshape %six(%sizes) : (tensor<6xf64>, tensor<1x2xindex>) -> tensor<2x3xf64>
  // expected-error@+1 {{3 sizes for a result of 2 dimensions}}
  %7 = tensor.reshape %six(%three) : (tensor<6xf64>, tensor<3xindex>) -> tensor<2x3xf64>
  return
}
func.func @constants() {
  // expected-error@+1 {{the entries are 1, the type says 3}}
  %0 = arith.constant dense<[7.0]> : tensor<3xf64>
  // expected-error@+1 {{the entries are 1x1, the type says 2x3}}
  %1 = arith.constant dense<[[1.0]]> : tensor<2x3xf64>
  return
}
