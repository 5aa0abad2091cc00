// What is wrong in one place hides nothing elsewhere, and nothing follows from it.
func.func @step(%n: index, %s: i32, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  // expected-error@+2 {{`%s` is `i32`, not `index`}}
  // expected-error@+1 {{`scf.for` has 1 result, and 0 are yielded}}
  %0 = scf.for %i = %c0 to %n step %s iter_args(%y = %x) -> (f64) {
    %1 = arith.addf %y, %x : f64
  }
  return %0 : f64
}
func.func @condition(%c: i32, %x: f64) -> f64 {
  // expected-error@+1 {{`%c` is `i32`, not `i1`}}
  %0 = scf.if %c -> (f64) {
    // expected-error@+1 {{`%y` is not defined before this}}
    scf.yield %y : f64
  } else {
    scf.yield %x : f64
  }
  return %0 : f64
}
func.func @literals() {
  // expected-error@+1 {{`1.0` is not a whole number}}
  %0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xi32>
  // expected-error@+2 {{`1` is no floating-point number of MLIR}}
  // expected-error@+1 {{`1.5` is not a whole number}}
  %1 = arith.constant sparse<[[0, 0], [1, 1.5]], [1, 2]> : tensor<2x2xf64>
  // expected-error@+1 {{a size is missing in front of this `x`}}
  %2 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<x2xf64>
  // expected-error@+1 {{a size is missing in front of this `x`}}
  %3 = arith.constant sparse<[[0, 0]], [1.0]> : tensor<x2xf64>
  // expected-error@+1 {{this bracket is never closed: `]` is missing}}
  %4 = arith.constant sparse<[[0, 0]], [1> : tensor<2x2xf64>
  return
}
func.func @maps(%A: tensor<4x4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{`k` is not declared in this map}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, k)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%A : tensor<4x4xf64>) outs(%y : tensor<4xf64>) {
  ^bb0(%a: f64, %c: f64):
    // expected-error@+1 {{`%b` is not defined before this}}
    %1 = arith.addf %a, %b : f64
    linalg.yield %1 : f64
  } -> tensor<4xf64>
  // expected-error@+1 {{nothing says how far loop `j` runs}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%A : tensor<4x4xf64>) outs(%y : tensor<4xf64>) {
  ^bb0(%a: f64, %c: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  // expected-error@+2 {{`index_maps` is not known: `indexing_maps` is meant}}
  // expected-error@+1 {{`iterator_type` is not known: `iterator_types` is meant}}
  %3 = linalg.generic {index_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_type = ["parallel", "reduction"]} ins(%A : tensor<4x4xf64>) outs(%y : tensor<4xf64>) {
  ^bb0(%a: f64, %c: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  return %3 : tensor<4xf64>
}
func.func @old_names(%a: f64) -> f64 {
  // expected-error@+1 {{there is no operation `arith.maxf`}}
  %0 = arith.maxf %a, %a : f64
  // expected-error@+1 {{there is no operation `ret`}}
  ret %0 : f64
}
func.func @end(%a: f64) -> f64 {
  // expected-error@+1 {{there is no operation `finish`}}
  finish %a : f64
}
func.func @file() -> tensor<4xf64> {
  // expected-error@+1 {{expected a value, `%name`, found `"file.mtx"`}}
  %0 = sparse_tensor.new "file.mtx" : !llvm.ptr to tensor<4xf64>
  return %0 : tensor<4xf64>
}
