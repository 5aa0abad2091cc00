// Types that are none, wherever they stand; what MLIR or a dialect has is no mistake of the text.
#E = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
!t = tensor<8xf64, #E>
// expected-error@+1 {{there is no type `tensr`}}
func.func private @a(tensr<8x8xf64>)
// expected-error@+1 {{expected `<`, found `[`}}
func.func private @b(tensor[8x8xf64])
// expected-error@+1 {{unknown element type `f46`}}
func.func private @c(tensor<8xf46>)
// expected-error@+1 {{expected `>`, found `,`: a vector has sizes and elements only}}
func.func private @d(vector<8xf64, #E>)
// expected-error@+1 {{there is no type `f65`}}
func.func private @e(i32) -> f65
// expected-error@+1 {{there is no type `i3x`}}
func.func private @f(memref<4xi3x>)
// expected-error@+1 {{there is no type `complex<f63>`}}
func.func private @g(complex<f63>)
// expected-error@+1 {{`!tt` is not defined}}
func.func private @h(!tt)
func.func @main() {
  // expected-error@+1 {{there is no type `f46`}}
  %a = arith.constant 1.0 : f46
  // expected-error@+1 {{there is no type `vector10xindex`}}
  %b = arith.constant dense<0> : vector10xindex>
  return
}
