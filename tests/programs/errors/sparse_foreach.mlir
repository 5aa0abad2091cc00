// The region of a foreach takes the coordinates, the value and what is carried, and yields what is carried.
#M = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>

func.func @wrong(%a: tensor<2x4xf64, #M>, %sum: f64, %n: i32) {
  sparse_tensor.foreach in %a : tensor<2x4xf64, #M> do {
    // expected-error@+1 {{the region takes 3 values, not 4}}
    ^bb0(%i: index, %j: index, %k: index, %v: f64):
  }
  sparse_tensor.foreach in %a : tensor<2x4xf64, #M> do {
    // expected-error@+1 {{the region takes `index` here, not `i32`}}
    ^bb0(%i: index, %j: i32, %v: f64):
  }
  sparse_tensor.foreach in %a : tensor<2x4xf64, #M> do {
    // expected-error@+1 {{the region takes `f64` here, not `f32`}}
    ^bb0(%i: index, %j: index, %v: f32):
  }
  // expected-error@+1 {{1 value is carried, and there are no results}}
  sparse_tensor.foreach in %a init(%sum) : tensor<2x4xf64, #M>, f64 do {
    ^bb0(%i: index, %j: index, %v: f64, %x: f64):
  }
  // expected-error@+1 {{this value is `i32`, and its result `f64`}}
  %type = sparse_tensor.foreach in %a init(%n) : tensor<2x4xf64, #M>, i32 -> f64 do {
    ^bb0(%i: index, %j: index, %v: f64, %x: f64):
      sparse_tensor.yield %x : f64
  }
  %yield = sparse_tensor.foreach in %a init(%sum) : tensor<2x4xf64, #M>, f64 -> f64 do {
    ^bb0(%i: index, %j: index, %v: f64, %x: f64):
      // expected-error@+1 {{the region yields `f64` here, not `index`}}
      sparse_tensor.yield %i : index
  }
  %carried = sparse_tensor.foreach in %a init(%sum) : tensor<2x4xf64, #M>, f64 -> f64 do {
    // expected-error@+1 {{the region takes 4 values, not 3}}
    ^bb0(%i: index, %j: index, %v: f64):
      sparse_tensor.yield %v : f64
  }
  // expected-error@+1 {{the results of `sparse_tensor.foreach` stand without parentheses: `-> T, U do`}}
  %pair:2 = sparse_tensor.foreach in %a init(%sum, %n) : tensor<2x4xf64, #M>, f64, i32 -> (f64, i32) do {
    ^bb0(%i: index, %j: index, %v: f64, %x: f64, %y: i32):
      sparse_tensor.yield %x, %y : f64, i32
  }
  return
}
