// One slip of the hand, one error, at its place.

func.func @other_bracket(%n: index) -> index {
  // expected-error@+1 {{expected `{`, found `]`}}
  scf.for %i = %n to %n step %n ]
    vector.print %i : index
  }
  vector.print %n : index
  return %n : index
}

func.func @broken_type(%t: tensor<3x3xf64>, %c: index, %v: i32) -> f64 {
  // expected-error@+1 {{a size is a number or `?`, and `a` is none}}
  %e = tensor.extract %t[%c, %c] : tensor<ax3xf64>
  // expected-error@+1 {{a size is a number or `?`, and `a` is none}}
  %s = tensor.insert %v into %t[%c, %c] : tensor<ax3xf64>
  // expected-error@+1 {{sizes and the element type are joined by `x`}}
  %f = tensor.extract %t[%c, %c] : tensor<3,x3xf64>
  %r = arith.addf %e, %f : f64
  return %r : f64
}

func.func @no_encoding() -> index {
  // expected-error@+1 {{expected an encoding, found `-`}}
  %t = tensor.empty() : tensor<3x3xf64,- #CSR>
  // expected-error@+1 {{expected an encoding, found `*`}}
  %u = tensor.empty() : tensor<3x3xf64, *>
  %c = arith.constant 0 : index
  %d = tensor.dim %t, %c : tensor<3x3xf64>
  return %d : index
}

func.func @types_of_constants() -> index {
  // expected-error@+1 {{expected `:` in front of the type, found `index`}}
  %a = arith.constant 1 index
  // expected-error@+1 {{expected the end of the operation, found `index`}}
  %b = arith.constant 1 : index index
  %c = arith.addi %a, %b : index
  return %c : index
}

func.func @no_equals(%v: f64) -> f64 {
  // expected-error@+1 {{expected `=`, found `tensor.splat`}}
  %t tensor.splat %v : tensor<3xf64>
  %c = arith.constant 0 : index
  %e = tensor.extract %t[%c] : tensor<3xf64>
  return %e : f64
}

// expected-error@+1 {{expected `=` behind the name of the alias, found `{`}}
#trait {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
  iterator_types = ["parallel"]
}
// expected-error@+1 {{expected `=` behind the name of the alias, found `affine_map`}}
#map affine_map<(i) -> (i)>

func.func @uses(%a: tensor<3xf64>) -> tensor<3xf64> {
  %o = tensor.empty() : tensor<3xf64>
  %r = linalg.generic #trait ins(%a : tensor<3xf64>) outs(%o : tensor<3xf64>) {
  ^bb(%x: f64, %y: f64):
    linalg.yield %x : f64
  } -> tensor<3xf64>
  %s = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%r : tensor<3xf64>) outs(%o : tensor<3xf64>) {
  ^bb(%x: f64, %y: f64):
    linalg.yield %x : f64
  } -> tensor<3xf64>
  return %s : tensor<3xf64>
}

func.func @attributes(%v: f64) -> f64 {
  // expected-error@+1 {{`dense<...>` and `sparse<...>` are tensors or vectors, and `i64` is neither}}
  %c = arith.constant {note = dense<1> : i64} 1 : index
  // expected-error@+1 {{expected a flag, found `>`}}
  %d = arith.addf %v, %v fastmath<> : f64
  // expected-error@+1 {{expected a flag, found `>`}}
  %e = arith.addi %c, %c overflow<> : index
  return %d : f64
}
