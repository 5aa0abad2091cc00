// Kernels by name compute with no `index`; what stands for one dimension has one size in the types.
func.func @main(%a: tensor<3xindex>, %m: tensor<2x2xindex>, %b: tensor<3xi1>, %x: tensor<?xf64>, %y: tensor<3xf64>, %z: tensor<2x?xf64>, %w: tensor<?x2xf64>) {
  // expected-error@+1 {{`linalg.add` computes with integers, floats or complex numbers, not with `index`}}
  %0 = linalg.add ins(%a, %a : tensor<3xindex>, tensor<3xindex>) outs(%a : tensor<3xindex>) -> tensor<3xindex>
  // expected-error@+1 {{`linalg.matmul` computes with integers, floats or complex numbers, not with `index`}}
  %1 = linalg.matmul ins(%m, %m : tensor<2x2xindex>, tensor<2x2xindex>) outs(%m : tensor<2x2xindex>) -> tensor<2x2xindex>
  %2 = linalg.copy ins(%a : tensor<3xindex>) outs(%a : tensor<3xindex>) -> tensor<3xindex>
  %3 = linalg.select ins(%b, %a, %a : tensor<3xi1>, tensor<3xindex>, tensor<3xindex>) outs(%a : tensor<3xindex>) -> tensor<3xindex>
  // expected-error@+1 {{a dimension of `linalg.map` is `?` in one type and `3` in another}}
  %4 = linalg.map {math.exp} ins(%x : tensor<?xf64>) outs(%y : tensor<3xf64>)
  // expected-error@+1 {{a dimension of `linalg.transpose` is `2` in one type and `?` in another}}
  %5 = linalg.transpose ins(%z : tensor<2x?xf64>) outs(%z : tensor<2x?xf64>) permutation = [1, 0]
  %6 = linalg.transpose ins(%z : tensor<2x?xf64>) outs(%w : tensor<?x2xf64>) permutation = [1, 0]
  // expected-error@+1 {{a dimension of `linalg.broadcast` is `3` in one type and `?` in another}}
  %7 = linalg.broadcast ins(%y : tensor<3xf64>) outs(%z : tensor<2x?xf64>) dimensions = [0]
  // expected-error@+1 {{a dimension of `linalg.reduce` is `2` in one type and `?` in another}}
  %8 = linalg.reduce {arith.addf} ins(%z : tensor<2x?xf64>) outs(%x : tensor<?xf64>) dimensions = [1]
  return
}
