// An implicit value that is not zero hides nothing of the other.
#E = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed),
  explicitVal = 1 : i32,
  // expected-error@+1 {{entries that are not stored are zero}}
  implicitVal = -1.0 : f64
}>
// expected-error@+1 {{explicitVal is of type `i32`, the elements are `f64`}}
func.func @f(%a: tensor<8x8xf64, #E>) -> tensor<8x8xf64, #E> {
  return %a : tensor<8x8xf64, #E>
}
func.func @main() {
  return
}
