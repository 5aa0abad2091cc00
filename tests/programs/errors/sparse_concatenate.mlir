// Tensors that are put beside each other: two at least, of known sizes that add up.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#M = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @wrong(%v: tensor<2xf64, #V>, %two: tensor<2x4xf64, #M>, %three: tensor<3x4xf64, #M>, %narrow: tensor<3x3xf64, #M>,
                 %open: tensor<?x4xf64, #M>) {
  // expected-error@+1 {{two tensors at least are concatenated}}
  %one = sparse_tensor.concatenate %two {dimension = 0 : index} : tensor<2x4xf64, #M> to tensor<2x4xf64, #M>
  // expected-error@+1 {{`dimension` names one of the 2 dimensions of the result}}
  %dim = sparse_tensor.concatenate %two, %three {dimension = 2 : index}
    : tensor<2x4xf64, #M>, tensor<3x4xf64, #M> to tensor<5x4xf64, #M>
  // expected-error@+1 {{a tensor of 2 dimensions is wanted here, as the result is}}
  %rank = sparse_tensor.concatenate %two, %v {dimension = 0 : index}
    : tensor<2x4xf64, #M>, tensor<2xf64, #V> to tensor<4x4xf64, #M>
  // expected-error@+1 {{the size of a tensor to concatenate is stated in its type}}
  %sizes = sparse_tensor.concatenate %two, %open {dimension = 0 : index}
    : tensor<2x4xf64, #M>, tensor<?x4xf64, #M> to tensor<5x4xf64, #M>
  // expected-error@+1 {{the tensors have 5 in dimension 0 together, and the result has 6}}
  %sum = sparse_tensor.concatenate %two, %three {dimension = 0 : index}
    : tensor<2x4xf64, #M>, tensor<3x4xf64, #M> to tensor<6x4xf64, #M>
  // expected-error@+1 {{dimension 1 has size 3, and the result's has 4}}
  %other = sparse_tensor.concatenate %two, %narrow {dimension = 0 : index}
    : tensor<2x4xf64, #M>, tensor<3x3xf64, #M> to tensor<5x4xf64, #M>
  return
}
