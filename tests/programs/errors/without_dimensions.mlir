// Casts and sizes of what has no rank, or no dimension, and arguments without names.
func.func @unranked(%m: memref<*xf64>) {
  // expected-error@+1 {{a cast from `memref<*xf64>` gives a buffer with a rank}}
  %s = memref.cast %m : memref<*xf64> to memref<*xf64>
  return
}
// -----
func.func @buffer(%m: memref<f64>, %c: index) -> index {
  // expected-error@+1 {{`%m` of type `memref<f64>` has no dimension}}
  %d = memref.dim %m, %c : memref<f64>
  return %d : index
}
// -----
func.func @tensor(%t: tensor<f64>, %c: index) -> index {
  // expected-error@+1 {{`%t` of type `tensor<f64>` has no dimension}}
  %d = tensor.dim %t, %c : tensor<f64>
  return %d : index
}
// -----
// expected-error@+1 {{the parameters of a function with a body have names}}
func.func @unnamed(tensor<4xf64>) {
  return
}
