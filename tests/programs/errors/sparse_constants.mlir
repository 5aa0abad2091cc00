// Coordinates of a sparse constant: a list for each entry, a number for each entry of a vector, or one number for all of one entry's.
func.func @main() {
  // expected-error@+1 {{1 coordinate an entry for 2 dimensions}}
  %a = arith.constant sparse<[0, 1], 2.0> : tensor<4x4xf64>
  // expected-error@+1 {{2 values for 1 coordinate}}
  %b = arith.constant sparse<0, [1.0, 2.0]> : tensor<4x4xf64>
  // expected-error@+1 {{coordinate 5 is outside dimension 0, which has size 4}}
  %c = arith.constant sparse<5, 1.0> : tensor<4x4xf64>
  // expected-error@+1 {{coordinates are a list of lists, no deeper}}
  %d = arith.constant sparse<[[[0, 1]]], 1.0> : tensor<4x4xf64>
  // expected-error@+1 {{the values are one list, or one for all}}
  %e = arith.constant sparse<[[0, 1]], [[1.0]]> : tensor<4x4xf64>
  // expected-error@+1 {{pairs of hexadecimal digits}}
  %f = arith.constant dense<"0x00G0"> : tensor<2xi8>
  // expected-error@+1 {{3 bytes are no numbers of type `i16`}}
  %g = arith.constant dense<"0x000102"> : tensor<2xi16>
  // expected-error@+1 {{begin with `0x`}}
  %h = arith.constant dense<"000102"> : tensor<3xi8>
  // expected-error@+1 {{the entries are 2, the type says 3}}
  %i = arith.constant dense<"0x0001"> : tensor<3xi8>
  return
}
