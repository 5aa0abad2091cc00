// Every loop of a contraction goes over the result and an operand, or over both operands alone.
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#ij = affine_map<(i, j) -> (i, j)>

func.func @outer(%a: tensor<2xf64>, %b: tensor<3xf64>, %to: tensor<2x3xf64>) -> tensor<2x3xf64> {
  // expected-error@+1 {{no loop of `linalg.contract` is of both operands and not of the result: nothing is contracted}}
  %r = linalg.contract indexing_maps = [#i, #j, #ij] ins(%a, %b : tensor<2xf64>, tensor<3xf64>) outs(%to : tensor<2x3xf64>) -> tensor<2x3xf64>
  return %r : tensor<2x3xf64>
}

func.func @sum(%a: tensor<2x3xf64>, %b: tensor<2xf64>, %to: tensor<2xf64>) -> tensor<2xf64> {
  // expected-error@+1 {{loop 1 of `linalg.contract` is neither of the result and an operand nor of both operands alone}}
  %r = linalg.contract indexing_maps = [#ij, #i, #i] ins(%a, %b : tensor<2x3xf64>, tensor<2xf64>) outs(%to : tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}
