// An iterator type too few, an argument too few, a type that is missing.
#trait = {
  indexing_maps = [
    affine_map<(i, j) -> (i, j)>,
    affine_map<(i, j) -> (j)>,
    affine_map<(i, j) -> (i)>
  ],
  // expected-error@+1 {{1 iterator type for indexing maps of 2 dimensions}}
  iterator_types = ["parallel"]
}
func.func @main() {
  %A = arith.constant dense<1.0> : tensor<4x8xf64>
  %x = arith.constant dense<1.0> : tensor<8xf64>
  %y = arith.constant dense<0.0> : tensor<4xf64>
  %r = linalg.generic #trait ins(%A, %x : tensor<4x8xf64>, tensor<8xf64>) outs(%y : tensor<4xf64>) {
  // expected-error@+1 {{the region takes 3 values, not 2}}
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    // expected-error@+1 {{expected `:`, found the end of the line}}
    linalg.yield %p
  } -> tensor<4xf64>
  return
}
