// The maps of a product name loops of its operands; a reduction lists its dimensions in order.
func.func @products(%a: tensor<4x4xf64>, %v: tensor<4xf64>, %s: tensor<f64>) {
  // expected-error@+1 {{operand 0 of `linalg.matmul` goes over the loops `d0`, `d2`, each once}}
  %0 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%a, %a : tensor<4x4xf64>, tensor<4x4xf64>) outs(%a : tensor<4x4xf64>) -> tensor<4x4xf64>
  // expected-error@+1 {{operand 0 of `linalg.matmul` goes over the loop `d2`, which is summed}}
  %1 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%v, %a : tensor<4xf64>, tensor<4x4xf64>) outs(%a : tensor<4x4xf64>) -> tensor<4x4xf64>
  %2 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%v, %a : tensor<4xf64>, tensor<4x4xf64>) outs(%a : tensor<4x4xf64>) -> tensor<4x4xf64>
  // expected-error@+1 {{`dimensions` lists the reduced dimensions in their order}}
  %3 = linalg.reduce { arith.addf } ins(%a : tensor<4x4xf64>) outs(%s : tensor<f64>) dimensions = [1, 0]
  return
}
// expected-error@+1 {{the parameters of a function have names, or none of them has}}
func.func private @mixed(f64, %b: f64)
func.func @blocks() {
^bb0:
  return
// expected-error@+1 {{`^bb0` is defined twice}}
^bb0:
  return
}
