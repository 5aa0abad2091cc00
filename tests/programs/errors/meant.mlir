// What other languages and other operations suggest: one error each, with what is meant.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

// expected-error@+1 {{a value's name begins with `%`: `%a`}}
func.func @named(a: f64) {
  return
}

// expected-error@+1 {{there is no type `float`}}
func.func private @typed(float)

// expected-error@+1 {{an unranked tensor has no encoding}}
func.func private @ranked(tensor<*xf64, #CSR>)

// expected-error@+1 {{`CSR` is a name of nnz's notation, not of MLIR}}
func.func private @alias(tensor<8x8xf64, CSR>)

func.func @operations(%a: tensor<8x8xf64, #CSR>, %x: f64, %n: index) {
  // expected-error@+1 {{there is no operation `sparse_tensor.number_of_entry`}}
  %0 = sparse_tensor.number_of_entry %a : tensor<8x8xf64, #CSR>
  // expected-error@+1 {{there is no operation `sparse_tensor.cast`}}
  %1 = sparse_tensor.cast %a : tensor<8x8xf64, #CSR> to tensor<8x8xf64>
  // expected-error@+1 {{there is no operation `tensor.load`}}
  %2 = tensor.load %a[%n, %n] : tensor<8x8xf64, #CSR>
  // expected-error@+1 {{`slt` is not a predicate of `arith.cmpf`}}
  %3 = arith.cmpf slt, %x, %x : f64
  // expected-error@+1 {{the operands of this operation stand without parentheses}}
  %4 = arith.addf(%x, %x) : f64
  // expected-error@+1 {{a function's name begins with `@`: `@use`}}
  %5 = call use(%x) : (f64) -> f64
  return
}

func.func @constants(%n: index) {
  // expected-error@+1 {{the coordinates of an entry stand together}}
  %0 = arith.constant sparse<[0, 0], [1, 1], [1.0, 2.0]> : tensor<8x8xf64>
  // expected-error@+1 {{several values are a list: `dense<[1.0, 2.0]>`}}
  %1 = arith.constant dense<1.0, 2.0> : tensor<2xf64>
  // expected-error@+1 {{a constant is a number, `dense<...>` or `sparse<...>`}}
  %2 = arith.constant [1.0, 2.0] : tensor<2xf64>
  // expected-error@+1 {{a map among attributes is written `affine_map<...>`}}
  %3 = affine.apply (d0) -> (d0 + 1)(%n)
  // expected-error@+1 {{`afine_map` is no attribute}}
  %4 = affine.apply afine_map<(d0) -> (d0 + 1)>(%n)
  return
}

func.func @signs(%n: index) {
  // expected-error@+1 {{a value's name begins with `%`: `%i`}}
  scf.for i = %n to %n step %n {
  }
  return
}
