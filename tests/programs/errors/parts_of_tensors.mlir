// Sizes and parts of tensors.
func.func @main() {
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{`tensor<4x4xf64>` leaves no sizes open, and 1 is given}}
  %t = tensor.empty(%c2) : tensor<4x4xf64>
  // expected-error@+1 {{there is no dimension 2: `%t` has 2 dimensions}}
  %d = tensor.dim %t, %c2 : tensor<4x4xf64>
  // expected-error@+1 {{`tensor<4x4xf64>` cannot be cast to `tensor<4x5xf64>`}}
  %u = tensor.cast %t : tensor<4x4xf64> to tensor<4x5xf64>
  // expected-error@+1 {{`tensor<4x4xf64>` has 2 dimensions, and 1 index is given}}
  %x = tensor.extract %t[%c2] : tensor<4x4xf64>
  // expected-error@+1 {{the part reaches beyond dimension 1 of `%t`, which has size 4}}
  %s = tensor.extract_slice %t[0, 0] [2, 8] [1, 1] : tensor<4x4xf64> to tensor<2x8xf64>
  // expected-error@+1 {{`%t` has 16 entries, and the result 15}}
  %k = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xf64> into tensor<15xf64>
  // expected-error@+1 {{the part reaches beyond dimension 0 of `%t`, which has size 4}}
  %back = tensor.extract_slice %t[1, 0] [3, 4] [-1, 1] : tensor<4x4xf64> to tensor<3x4xf64>
  // expected-error@+1 {{an offset is 0 or more, not -1}}
  %offset = tensor.extract_slice %t[-1, 0] [2, 4] [1, 1] : tensor<4x4xf64> to tensor<2x4xf64>
  // expected-error@+1 {{a size is 0 or more, not -2}}
  %size = tensor.extract_slice %t[0, 0] [1, -2] [1, 1] : tensor<4x4xf64> to tensor<1x?xf64>
  // expected-error@+1 {{nnz takes no part of a tensor with stride 0}}
  %same = tensor.extract_slice %t[0, 0] [2, 4] [0, 1] : tensor<4x4xf64> to tensor<2x4xf64>
  %z = arith.constant 0.0 : f64
  // expected-error@+1 {{what pads a tensor is 0 or more, not -1}}
  %p = tensor.pad %t low[0, -1] high[0, 0] { ^bb0(%i: index, %j: index): tensor.yield %z : f64 } : tensor<4x4xf64> to tensor<4x3xf64>
  // expected-error@+1 {{a size is 0 or more, not -1}}
  %e = tensor.expand_shape %t [[0, 1], [2]] output_shape [-1, 2, 4] : tensor<4x4xf64> into tensor<2x2x4xf64>
  return
}
