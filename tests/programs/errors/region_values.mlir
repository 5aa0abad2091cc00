// What is wrong with the values of a region is told once, and not again where they are used.
#tr = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}

func.func @one_left_out(%A: tensor<3x4xf64>, %x: tensor<4xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = linalg.generic #tr ins(%A, %x : tensor<3x4xf64>, tensor<4xf64>) outs(%y : tensor<3xf64>) {
  // expected-error@+1 {{the region takes 3 values, not 2}}
  ^bb0(%a: f64, %b: f64):
    %1 = arith.mulf %a, %b : f64
    %2 = arith.addf %s, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func @no_label(%A: tensor<3x4xf64>, %x: tensor<4xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  // expected-error@+1 {{the region takes 3 values, not 0}}
  %0 = linalg.generic #tr ins(%A, %x : tensor<3x4xf64>, tensor<4xf64>) outs(%y : tensor<3xf64>) {
    %1 = arith.mulf %a, %b : f64
    %2 = arith.addf %s, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func @another_type(%A: tensor<3x4xf64>, %x: tensor<4xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = linalg.generic #tr ins(%A, %x : tensor<3x4xf64>, tensor<4xf64>) outs(%y : tensor<3xf64>) {
  // expected-error@+1 {{the region takes `f64` here, not `f32`}}
  ^bb0(%a: f64, %b: f32, %s: f64):
    %1 = arith.mulf %a, %b : f64
    %2 = arith.addf %s, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func @open(%A: tensor<3x4xf64>, %x: tensor<4xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = linalg.generic #tr ins(%A, %x : tensor<3x4xf64>, tensor<4xf64>) outs(%y : tensor<3xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    // expected-error@+1 {{expected `}` in front of `->`: the region ends before the types of the results}}
    linalg.yield %s : f64
  -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func @said_otherwise(%x: f64) -> f64 {
  // expected-error@+1 {{`%x` is `f64`, not `f32`}}
  return %x : f32
}
