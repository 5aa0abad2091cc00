// A name, a sign or a word that is missing is told once, where it is missing.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @nameless() -> f64 {
  // expected-error@+1 {{expected an operation, found `=`}}
  = arith.constant 1.0 : f64
  %b = arith.addf %a, %a : f64
  return %b : f64
}

func.func @doubled(%A: tensor<4x4xf64, #CSR>, %e: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%A : tensor<4x4xf64, #CSR>) outs(%e : tensor<4x4xf64, #CSR>) {
    ^bb0(%a: f64, %o: f64):
      linalg.yield %a : f64
  // expected-error@+1 {{`}` closes nothing}}
  } } -> tensor<4x4xf64, #CSR>
  return %0 : tensor<4x4xf64, #CSR>
}

func.func @turned(%y: tensor<4xf64>) -> tensor<4xf64> {
  %0 = tensor.empty() : tensor<4xf64>
  // expected-error@+1 {{a value's name begins with `%`: `%0`}}
  return 0% : tensor<4xf64>
}

func.func @without() -> f64 {
  %0 = arith.constant 1.0 : f64
  // expected-error@+1 {{no operation stands in front of `%0`}}
  %0 : f64
}
