// Sizes of a product, and a misspelt iterator type.
func.func @main() {
  %a = arith.constant dense<1.0> : tensor<8x6xf64>
  %b = arith.constant dense<1.0> : tensor<4x8xf64>
  %c = arith.constant dense<0.0> : tensor<8x8xf64>
  // expected-error@+1 {{`%b` has size 4 in dimension 0, where dimension 1 of `%a` asks for 6}}
  %r = linalg.matmul ins(%a, %b : tensor<8x6xf64>, tensor<4x8xf64>) outs(%c : tensor<8x8xf64>) -> tensor<8x8xf64>
  %g = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
    // expected-error@+1 {{unknown iterator type `paralel`}}
    iterator_types = ["parallel", "paralel"]
  // expected-error@+1 {{`%b` has size 4 in dimension 0, where dimension 1 of `%a` asks for 6}}
  } ins(%a, %b : tensor<8x6xf64>, tensor<4x8xf64>) outs(%c : tensor<8x8xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %s = arith.addf %x, %y : f64
    linalg.yield %s : f64
  } -> tensor<8x8xf64>
  return
}
