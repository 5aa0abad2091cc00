// Attributes in the place of an encoding, and types of dialects, that there are not.
// expected-error@+1 {{MLIR has no dialect `foo`}}
func.func private @a(tensor<3x4xf64, #foo.bar>)
// expected-error@+1 {{MLIR has no dialect `foo`}}
func.func private @b(tensor<3x4xf64, #foo<3>>)
// expected-error@+1 {{there is no attribute `#arith.foo`}}
func.func private @c(tensor<3x4xf64, #arith.foo>)
// expected-error@+1 {{there is no type `!llvm.ptrx`}}
func.func private @d(!llvm.ptrx)
func.func private @e(!llvm.ptr)
// expected-error@+1 {{expected `>`, found `strided`}}
func.func private @f(tensor<4xf64, strided<[1]>>)
// expected-error@+1 {{expected `>`, found `junk`}}
func.func private @g(tensor<4xf64, 1.0 junk>)

