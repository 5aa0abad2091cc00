// Numbers that MLIR does not read as what their type says.
func.func @main() {
  // expected-error@+1 {{`1` is no floating-point number of MLIR, and the type is `f64`}}
  %a = arith.constant dense<1> : tensor<4xf64>
  // expected-error@+1 {{`2` is no floating-point number of MLIR, and the type is `f32`}}
  %b = arith.constant dense<[1.0, 2]> : tensor<2xf32>
  // expected-error@+1 {{`1` is no floating-point number of MLIR, and the type is `f64`}}
  %c = arith.constant sparse<[[0]], 1> : tensor<4xf64>
  // expected-error@+1 {{`2` is no floating-point number of MLIR, and the type is `f32`}}
  %d = arith.constant dense<(1.0, 2)> : tensor<2xcomplex<f32>>
  // expected-error@+1 {{`1` is no floating-point number of MLIR, and the type is `bf16`}}
  %e = arith.constant 1 : bf16
  // expected-error@+1 {{`1e3` is no floating-point number of MLIR, and the type is `f64`}}
  %f = arith.constant 1e3 : f64
  // expected-error@+1 {{`1` is no floating-point number of MLIR, and the type is `f32`}}
  %g = arith.constant dense<1> : vector<2xf32>
  // expected-error@+1 {{`1.0` is not a whole number}}
  %h = arith.constant dense<1.0> : tensor<4xi32>
  // expected-error@+1 {{expected a number}}
  %i = arith.constant dense<true> : tensor<2xi32>
  // expected-error@+1 {{`true` and `false` are `i1`, and say no type}}
  %j = arith.constant true : i1
  // expected-error@+1 {{hexadecimal digits are the bits of the number, sign and all}}
  %k = arith.constant -0x7F : f64
  // expected-error@+1 {{`0x123456789` has more bits than `f32`}}
  %l = arith.constant 0x123456789 : f32
  // expected-error@+1 {{`9223372036854775808` does not fit `index`}}
  %m = arith.constant 9223372036854775808 : index
  // expected-error@+1 {{`256` does not fit `i8`}}
  %n = arith.constant dense<256> : tensor<2xi8>
  // expected-error@+1 {{a constant's integers are signless, and `ui8` is not}}
  %o = arith.constant 255 : ui8
  // expected-error@+1 {{one number is no `tensor<1xi32>`}}
  %p = arith.constant 1 : tensor<1xi32>
  // expected-error@+1 {{`dense<...>` and `sparse<...>` are tensors or vectors, and `f32` is neither}}
  %q = arith.constant dense<1.0> : f32
  // expected-error@+1 {{the parts of a `complex<f32>` are `f32`, and this is `f64`}}
  %r = complex.constant [1.0, 0.0] : complex<f32>
  // expected-error@+1 {{the parts of a `complex<f64>` are floats: `1.0 : f64`}}
  %s = complex.constant [1, 0] : complex<f64>
  return
}
