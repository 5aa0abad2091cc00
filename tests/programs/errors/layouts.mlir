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
// expected-error@+1 {{expected a whole number or `?`, found `>`}}
func.func private @h(memref<5xi64, strided<[1], offset: >>)
// expected-error@+1 {{expected `]`, found `garbage`}}
func.func private @i(memref<5x5xi64, strided<[4 garbage "x" 7.5, 2], offset: 4>>)
// expected-error@+1 {{expected `offset`, found `3`}}
func.func private @j(memref<5xi64, strided<[1], 3>>)
// expected-error@+1 {{expected `[`, found `>`}}
func.func private @k(memref<5xi64, strided<>>)
// expected-error@+1 {{`99999999999999999999` has more than 64 bits}}
func.func private @l(memref<5xi64, strided<[99999999999999999999]>>)
// expected-error@+1 {{a memref of 2 dimensions has a layout of as many, not 4}}
func.func private @m(memref<2x2xi64, strided<[4, 2, 1, 9], offset: 4>>)
// expected-error@+1 {{a memref of 1 dimension has a layout of as many, not 2}}
func.func private @n(memref<5xi64, affine_map<(i, j) -> (i)>>)
func.func private @o(memref<5xi64, strided< [ ? ] , offset : ? >, 1>, memref<5xi64, strided<[-2], offset: 4>>)
func.func @main() {
  // expected-error@+1 {{expected an encoding, found `->`}}
  %0 = tensor.empty() : tensor<5xi64, ->>
  // expected-error@+1 {{expected an encoding, found `-`}}
  %1 = tensor.empty() : tensor<5xi64, - dense>
  return
}
