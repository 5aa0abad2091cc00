// What is defined by a broken line is known as broken: what uses it says nothing.

// expected-error@+1 {{the name of an alias begins with `#`: `#CSR`}}
CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// expected-error@+1 {{expected `=` behind the name of the alias}}
#CSC #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
// expected-error@+1 {{`0.0` is no number of type `index`}}
#implicit = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), implicitVal = 0.0 : index }>
// expected-error@+1 {{`true` is of type `i1`, and no type stands behind it}}
#explicit = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = true : f64 }>
#of_f32 = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 1.0 : f32 }>

// expected-error@+1 {{there is no operation `funk.func`}}
funk.func @matrix(%a: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSC> {
  %r = sparse_tensor.convert %a : tensor<4x4xf64, #CSR> to tensor<4x4xf64, #CSC>
  return %r : tensor<4x4xf64, #CSC>
}

func.func @call(%a: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSC> {
  %r = call @matrix(%a) : (tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSC>
  return %r : tensor<4x4xf64, #CSC>
}

func.func @element(%a: tensor<9xf64, #implicit>, %b: tensor<9xf64, #explicit>, %i: index) -> f64 {
  %e = tensor.extract %a[%i] : tensor<9xf64, #implicit>
  %f = tensor.extract %b[%i] : tensor<9xf64, #explicit>
  %r = arith.addf %e, %f : f64
  return %r : f64
}

// expected-error@+1 {{explicitVal is of type `f32`, the elements are `f64`}}
func.func @told_once(%a: tensor<9xf64, #of_f32>, %i: index) -> f64 {
  %e = tensor.extract %a[%i] : tensor<9xf64, #of_f32>
  return %e : f64
}

func.func @type_missing(%v: f64) -> f64 {
  // expected-error@+1 {{expected a type, found the end of the line}}
  %n = arith.addf %v, %v :
  return %n : f64
}

// expected-error@+1 {{`#DCSR` is not defined}}
func.func @format(%a: tensor<4x4xf64, #DCSR>) -> tensor<4x4xf64, #DCSR> {
  return %a : tensor<4x4xf64, #DCSR>
}
