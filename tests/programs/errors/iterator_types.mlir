// Kinds of loops as the generic syntax writes them.
func.func @main() {
  %t = arith.constant dense<1.0> : tensor<2xf64>
  // expected-error@+1 {{unknown iterator type `paralel`}}
  %a = "linalg.generic"(%t, %t) <{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [#linalg.iterator_type<paralel>], operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f64, %y: f64):
    linalg.yield %x : f64
  }) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  // expected-error@+1 {{unknown iterator type ``}}
  %b = "linalg.generic"(%t, %t) <{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [#linalg.iterator_type<>], operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f64, %y: f64):
    linalg.yield %x : f64
  }) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  return
}
