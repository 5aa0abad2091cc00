// Slips in functions, traits and constants, each told once, where it stands.
#tr = {
  // expected-error@+1 {{expected `,` or `]`, found `"reduction"`}}
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel" "reduction"]
}
#bare = {
  // expected-error@+2 {{an iterator type stands in quotes: `"parallel"`}}
  // expected-error@+1 {{an iterator type stands in quotes: `"reduction"`}}
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = [parallel, reduction]
}
#one = {
  // expected-error@+1 {{`indexing_map` is not known: `indexing_maps` is meant, one affine map for each operand}}
  indexing_map = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]
}

func.func @uses(%A: tensor<3x4xf64>, %y: tensor<3xf64>) {
  // expected-error@+1 {{expected an operation, found `7`}}
  7 = arith.constant 1 : index
  %0 = linalg.generic #tr ins(%A : tensor<3x4xf64>) outs(%y : tensor<3xf64>) {
  ^bb0(%a: f64, %s: f64):
    linalg.yield %a : f64
  } -> tensor<3xf64>
  %1 = linalg.generic #bare ins(%A : tensor<3x4xf64>) outs(%y : tensor<3xf64>) {
  ^bb0(%a: f64, %s: f64):
    linalg.yield %a : f64
  } -> tensor<3xf64>
  %2 = linalg.generic #one ins(%A : tensor<3x4xf64>) outs(%y : tensor<3xf64>) {
  ^bb0(%a: f64, %s: f64):
    linalg.yield %a : f64
  } -> tensor<3xf64>
  // expected-error@+1 {{`#trait` is not defined}}
  %3 = linalg.generic #trait ins(%A : tensor<3x4xf64>) outs(%y : tensor<3xf64>) {
  ^bb0(%a: f64, %s: f64):
    linalg.yield %a : f64
  } -> tensor<3xf64>
  // expected-error@+1 {{expected a value, `%name`, found `0`}}
  %x = tensor.extract %y[0] : tensor<3xf64>
  // expected-error@+1 {{expected `to`, found `->`}}
  %z = tensor.cast %y : tensor<3xf64> -> tensor<?xf64>
  // expected-error@+1 {{this `<` is never closed: `>` is missing}}
  %w = arith.constant dense<[[1.0, 2.0]]: tensor<1x2xf64>
  return
}

// expected-error@+1 {{a function's name begins with `@`: `@g`}}
func.func g(%x: f64) -> f64 {
  return %x : f64
}

// expected-error@+1 {{expected `->` before the results of a function, found `:`}}
func.func @h(%x: f64) : f64 {
  return %x : f64
}

func.func @calls(%x: f64) -> f64 {
  %y = call @h(%x) : (f64) -> f64
  return %y : f64
}

// expected-error@+1 {{expected `{` in front of the body of the function}}
func.func @no_brace()
  %c = arith.constant 1 : index
  vector.print %c : index
  return
}
