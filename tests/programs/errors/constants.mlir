// Constants that do not fit their types.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @main() {
  // expected-error@+1 {{the entries are 3, the type says 4}}
  %a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<4xf64>
  // expected-error@+1 {{coordinate 5 is outside dimension 1, which has size 4}}
  %b = arith.constant sparse<[[0, 0], [1, 5]], [1.0, 2.0]> : tensor<4x4xf64>
  // expected-error@+1 {{3 values for 2 coordinates}}
  %c = arith.constant sparse<[[0], [1]], [1.0, 2.0, 3.0]> : tensor<4xf64>
  // expected-error@+1 {{this list has 1 entry, those before it have 2 entries}}
  %d = arith.constant dense<[[1.0, 2.0], [3.0]]> : tensor<2x2xf64>
  // expected-error@+1 {{zero has no sign among whole numbers}}
  %e = arith.constant -0 : i32
  // expected-error@+1 {{zero has no sign among whole numbers}}
  %f = arith.constant dense<[1, -0]> : tensor<2xindex>
  // expected-error@+1 {{zero has no sign among whole numbers}}
  %g = arith.constant -0x0 : i8
  %s = sparse_tensor.convert %a : tensor<4xf64> to tensor<4xf64, #SV>
  return
}
