// Aliases with another sign than `=`, or of a word: one error each.
// expected-error@+1 {{expected `=` behind the name of the alias, found `:`}}
#Colon : #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// expected-error@+1 {{`CSC` is no attribute}}
#Word = CSC
// expected-error@+1 {{a level property is one word: `nonunique`}}
#Split = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(non-unique), j : singleton) }>
func.func private @f(tensor<8x8xf64, #Colon>, tensor<8x8xf64, #Word>, tensor<8x8xf64, #Split>)
func.func @main(%y: tensor<4xf64>) {
  // expected-error@+1 {{expected the trait of the kernel, found `ins`}}
  %1 = linalg.generic ins(%y : tensor<4xf64>) outs(%y : tensor<4xf64>) {
  ^bb0(%b: f64, %c: f64):
    linalg.yield %c : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{the entries of a constant stand in `dense<...>`}}
  %2 = arith.constant dense(2.0) : tensor<4xf64>
  // expected-error@+1 {{there is no operation `arith.const`}}
  %3 = arith.const 1.0 : f64
  return
}
