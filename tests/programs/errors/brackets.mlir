// One bracket too many, too few, or a label without its sign: one error, at its place, and none that follows from it.
#S = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#id = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }

func.func @one_too_many(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.generic #id ins(%b : tensor<4xf64>) outs(%a : tensor<4xf64>) {
  ^bb0(%x: f64, %o: f64):
    // expected-error@+1 {{expected `absent`, found `}`}}
    %u = sparse_tensor.unary %x : f64 to f64 present={} } absent={}
    linalg.yield %u : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

func.func @one_too_many_on_a_line(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.generic #id ins(%b : tensor<4xf64>) outs(%a : tensor<4xf64>) {
  ^bb0(%x: f64, %o: f64):
    %u = arith.addf %x, %x : f64
    // expected-error@+1 {{`}` ends the region in front of its last operation}}
    }
    linalg.yield %u : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

func.func @two_braces(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{expected an operation, found `{`}}
  %r = linalg.generic #id ins(%b : tensor<4xf64>) outs(%a : tensor<4xf64>) { {
  ^bb0(%x: f64, %o: f64):
    linalg.yield %x : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

func.func @no_brace(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{expected `{` in front of the block, found the end of the line}}
  %r = linalg.generic #id ins(%b : tensor<4xf64>) outs(%a : tensor<4xf64>)
  ^bb0(%x: f64, %o: f64):
    linalg.yield %x : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

func.func @label_without_sign(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.generic #id ins(%b : tensor<4xf64>) outs(%a : tensor<4xf64>) {
  // expected-error@+1 {{the name of a block begins with `^`: `^bb0`}}
  bb0(%x: f64, %o: f64):
    linalg.yield %x : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

func.func @brace_in_a_line(%a: f64) -> f64 {
  // expected-error@+1 {{this bracket is never closed: `}` is missing}}
  %r = arith.addf %a, %a { f64
  return %r : f64
}

// expected-error@+1 {{expected a value, found `]`}}
func.func @bracket_in_a_type(%a: tensor<4xf64, ]>, %i: index) -> f64 {
  %r = tensor.extract %a[%i] : tensor<4xf64, #S>
  return %r : f64
}

func.func @whole(%a: tensor<4xf64>) -> tensor<4xf64> {
  return %a : tensor<4xf64>
}

func.func @results_without_bracket(%n: index, %a: tensor<4xf64>, %f: f64) -> tensor<4xf64> {
  // expected-error@+1 {{`)` closes nothing}}
  %r = scf.for %i = %n to %n step %n iter_args(%t = %a) -> tensor<4xf64>) {
    %u = tensor.insert %f into %t[%i] : tensor<4xf64>
    scf.yield %u : tensor<4xf64>
  }
  return %r : tensor<4xf64>
}

// expected-error@+1 {{`)` closes nothing}}
func.func @results_of_a_head(%a: f64, %b: f64) -> f64, f64) {
  return %a, %b : f64, f64
}

// expected-error@+1 {{sizes and the element type are joined by `x`}}
func.func private @sizes_with_commas(tensor<?,?xf64, #S>)
