// MLIR refuses attributes that the head of a function says, or that are nobody's.
#map = affine_map<(i) -> (i)>
// expected-error@+1 {{`sym_name` follows from the head of the function, and is none of its `attributes`}}
func.func @named() attributes {sym_name = "g"} { return }
// expected-error@+1 {{`sym_visibility` follows from the head of the function}}
func.func @seen() attributes {sym_visibility = "private"} { return }
// expected-error@+1 {{`function_type` follows from the head of the function}}
func.func @typed() attributes {function_type = () -> ()} { return }
// expected-error@+1 {{an attribute of a parameter belongs to a dialect, as in `llvm.noundef`: `foo` has none}}
func.func @parameter(%a: i32 {foo = 1}) { return }
// expected-error@+1 {{an attribute of a result belongs to a dialect, as in `llvm.noundef`: `foo` has none}}
func.func private @result() -> (i32 {foo = 1})
// expected-error@+1 {{`llvm.noalias` is said of pointers, and this is `i32`}}
func.func @pointer(%a: i32 {llvm.noalias}) { return }
// expected-error@+1 {{`llvm.nonnull` is said of pointers, and this is `vector<4xf64>`}}
func.func @vector(%a: vector<4xf64> {llvm.nonnull}) { return }

func.func @sized(%e: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{`ins` and `outs` say the sizes of the groups}}
  %r = linalg.generic {operandSegmentSizes = array<i32: 1, 1>, indexing_maps = [#map, #map], iterator_types = ["parallel"]}
    ins(%e : tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%x: f64, %y: f64):
    linalg.yield %x : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// expected-error@+1 {{an attribute of a module belongs to a dialect, as in `llvm.data_layout`: `x` has none}}
module attributes {x = 3, sym_visibility = "private", foo.y = 4} {
}
