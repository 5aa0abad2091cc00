// Iteration spaces and the loops over them.
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton(soa)) }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @spaces(%t: tensor<4x8xf32, #COO>, %outer: !sparse_tensor.iterator<#COO, lvls = 0>,
                  %inner: !sparse_tensor.iterator<#COO, lvls = 1>, %row: !sparse_tensor.iterator<#CSR, lvls = 0>) {
  // expected-error@+1 {{no level stands between 2 and 0}}
  %none = sparse_tensor.extract_iteration_space %t at %outer lvls = 2 to 0
    : tensor<4x8xf32, #COO>, !sparse_tensor.iterator<#COO, lvls = 0> -> !sparse_tensor.iter_space<#COO, lvls = 0 to 2>
  // expected-error@+1 {{the outermost level stands below no other, and takes no iterator}}
  %first = sparse_tensor.extract_iteration_space %t at %outer lvls = 0
    : tensor<4x8xf32, #COO>, !sparse_tensor.iterator<#COO, lvls = 0> -> !sparse_tensor.iter_space<#COO, lvls = 0>
  // expected-error@+1 {{level 1 stands below level 0: where is that one?}}
  %second = sparse_tensor.extract_iteration_space %t lvls = 1
    : tensor<4x8xf32, #COO> -> !sparse_tensor.iter_space<#COO, lvls = 1>
  // expected-error@+1 {{this iterator is of a tensor with another encoding}}
  %other = sparse_tensor.extract_iteration_space %t at %row lvls = 1
    : tensor<4x8xf32, #COO>, !sparse_tensor.iterator<#CSR, lvls = 0> -> !sparse_tensor.iter_space<#COO, lvls = 1>
  // expected-error@+1 {{level 1 stands below level 0, and this iterator ends at level 1}}
  %gap = sparse_tensor.extract_iteration_space %t at %inner lvls = 1
    : tensor<4x8xf32, #COO>, !sparse_tensor.iterator<#COO, lvls = 1> -> !sparse_tensor.iter_space<#COO, lvls = 1>
  // expected-error@+2 {{the encoding has 2 levels, and these end behind level 2}}
  %beyond = sparse_tensor.extract_iteration_space %t at %inner lvls = 2
    : tensor<4x8xf32, #COO>, !sparse_tensor.iterator<#COO, lvls = 1> -> !sparse_tensor.iter_space<#COO, lvls = 2>
  // expected-error@+1 {{values stand below the last level, 1, and this iterator is at level 0}}
  %value = sparse_tensor.extract_value %t at %outer : tensor<4x8xf32, #COO>, !sparse_tensor.iterator<#COO, lvls = 0>
  return
}

func.func @loops(%space: !sparse_tensor.iter_space<#COO, lvls = 0>, %i: index, %j: index) {
  %two:2 = sparse_tensor.iterate %it in %space at (%c) iter_args(%a = %i, %b = %j)
    : !sparse_tensor.iter_space<#COO, lvls = 0> -> (index, index) {
      // expected-error@+1 {{2 values are carried, and 1 is yielded}}
      sparse_tensor.yield %a : index
  }
  // expected-error@+1 {{`%i` is `index`, not `f32`}}
  %init = sparse_tensor.iterate %it in %space at (%c) iter_args(%a = %i) : !sparse_tensor.iter_space<#COO, lvls = 0> -> f32 {
    sparse_tensor.yield %a : f32
  }
  %yield = sparse_tensor.iterate %it in %space at (%c) iter_args(%a = %i) : !sparse_tensor.iter_space<#COO, lvls = 0> -> index {
    %one = arith.constant 1.0 : f32
    // expected-error@+1 {{`index` is carried here, not `f32`}}
    sparse_tensor.yield %one : f32
  }
  // expected-error@+1 {{the space has 1 level, and 2 coordinates are named}}
  sparse_tensor.iterate %it in %space at (%c, %d) : !sparse_tensor.iter_space<#COO, lvls = 0> {
  }
  sparse_tensor.coiterate (%space, %space) at (%c)
    : (!sparse_tensor.iter_space<#COO, lvls = 0>, !sparse_tensor.iter_space<#COO, lvls = 0>)
  // expected-error@+1 {{a case names 2 iterators, or `_` in their place, not 1}}
  case %one {
  }
  return
}
