// A map too few, and a misspelt iterator type.
#trait = {
  // expected-error@+1 {{2 indexing maps for 3 operands}}
  indexing_maps = [
    affine_map<(i, j) -> (i, j)>,
    affine_map<(i, j) -> (i)>
  ],
  // expected-error@+1 {{unknown iterator type `reduce`}}
  iterator_types = ["parallel", "reduce"]
}
func.func @main() {
  %A = arith.constant dense<1.0> : tensor<4x8xf64>
  %x = arith.constant dense<1.0> : tensor<8xf64>
  %y = arith.constant dense<0.0> : tensor<4xf64>
  %r = linalg.generic #trait ins(%A, %x : tensor<4x8xf64>, tensor<8xf64>) outs(%y : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<4xf64>
  return
}
