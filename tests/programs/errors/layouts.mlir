// What stands behind the sizes of a memref.
// expected-error@+1 {{expected an attribute, found `->`}}
func.func private @a(memref<5xi64, ->>)
// expected-error@+1 {{this `<` is never closed}}
func.func private @b(memref<5xi64, ->)
// expected-error@+1 {{expected an attribute, found `,`}}
func.func private @c(memref<5xi64,, 1>)
// expected-error@+1 {{`row` is no attribute}}
func.func private @d(memref<5xi64, row>)
func.func private @e(memref<5xi64, strided<[1], offset: ?>>)
func.func private @f(memref<5xi64, affine_map<(i)[s] -> (i + s)>, 1>)
func.func private @g(memref<5xi64, 1 : i32>)
func.func @main() {
  // expected-error@+1 {{expected an encoding, found `->`}}
  %0 = tensor.empty() : tensor<5xi64, ->>
  // expected-error@+1 {{expected an encoding, found `-`}}
  %1 = tensor.empty() : tensor<5xi64, - dense>
  return
}
