// The arrays of a tensor: which level has which, of which width, how many there are.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#V32 = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = 32, crdWidth = 32 }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32 }>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton), posWidth = 32, crdWidth = 32 }>

func.func @levels(%v: tensor<8xf64, #V>, %w: tensor<8xf64, #V32>, %a: tensor<4x8xf64, #CSR>) {
  // expected-error@+1 {{`level` names one of the 1 levels, counted from 0}}
  %beyond = sparse_tensor.positions %v { level = 1 : index } : tensor<8xf64, #V> to memref<?xindex>
  // expected-error@+1 {{`level` is a number of type `index`, from 0 on}}
  %below = sparse_tensor.coordinates %v { level = -1 : index } : tensor<8xf64, #V> to memref<?xindex>
  // expected-error@+1 {{level 0 is `dense`, which has no positions}}
  %dense = sparse_tensor.positions %a { level = 0 : index } : tensor<4x8xf64, #CSR> to memref<?xi32>
  // expected-error@+1 {{level 0 is `dense`, which has no coordinates}}
  %all = sparse_tensor.coordinates %a { level = 0 : index } : tensor<4x8xf64, #CSR> to memref<?xi32>
  // expected-error@+1 {{the array holds `i32`, and the result is `memref<?xindex>`}}
  %wide = sparse_tensor.positions %w { level = 0 : index } : tensor<8xf64, #V32> to memref<?xindex>
  // expected-error@+1 {{the array holds `index`, and the result is `memref<?xi32>`}}
  %narrow = sparse_tensor.coordinates %v { level = 0 : index } : tensor<8xf64, #V> to memref<?xi32>
  // expected-error@+1 {{the array holds `f64`, and the result is `memref<?xf32>`}}
  %values = sparse_tensor.values %v : tensor<8xf64, #V> to memref<?xf32>
  // expected-error@+1 {{the encoding stores no tuples of coordinates}}
  %tuples = sparse_tensor.coordinates_buffer %v : tensor<8xf64, #V> to memref<?xindex>
  return
}

func.func @assembled(%values: tensor<3xf64>, %positions: tensor<2xi32>, %coordinates: tensor<3xi32>,
                     %pairs: tensor<3x2xi32>, %triples: tensor<3x3xi32>) {
  // expected-error@+1 {{the sizes of an assembled tensor are stated in its type}}
  %open = sparse_tensor.assemble (%positions, %coordinates), %values
    : (tensor<2xi32>, tensor<3xi32>), tensor<3xf64> to tensor<?xf64, #V32>
  // expected-error@+1 {{`tensor<3xf64>` is no array of the values}}
  %f32 = sparse_tensor.assemble (%positions, %coordinates), %values
    : (tensor<2xi32>, tensor<3xi32>), tensor<3xf64> to tensor<8xf32, #V32>
  // expected-error@+1 {{the encoding has 2 arrays of positions and coordinates, and 1 are given}}
  %one = sparse_tensor.assemble (%coordinates), %values : (tensor<3xi32>), tensor<3xf64> to tensor<4x8xf64, #CSR>
  // expected-error@+1 {{the tuples have 2 coordinates, and these 3}}
  %three = sparse_tensor.assemble (%positions, %triples), %values
    : (tensor<2xi32>, tensor<3x3xi32>), tensor<3xf64> to tensor<4x8xf64, #COO>
  // expected-error@+1 {{the array holds `index`, and this is `tensor<2xi32>`}}
  %width = sparse_tensor.assemble (%positions, %coordinates), %values
    : (tensor<2xi32>, tensor<3xi32>), tensor<3xf64> to tensor<8xf64, #V>
  %right = sparse_tensor.assemble (%positions, %pairs), %values
    : (tensor<2xi32>, tensor<3x2xi32>), tensor<3xf64> to tensor<4x8xf64, #COO>
  return
}

func.func @taken_apart(%v: tensor<8xf32, #V32>, %a: tensor<4x8xf64, #CSR>, %c: tensor<4x8xf64, #COO>, %values: tensor<3xf64>,
                       %positions: tensor<2xi32>, %coordinates: tensor<3xi32>, %triples: tensor<3x3xi32>) {
  // expected-error@+3 {{the values are `f32`, and this is `tensor<3xf64>`}}
  %p, %q, %r, %pn, %qn, %rn = sparse_tensor.disassemble %v : tensor<8xf32, #V32>
    out_lvls(%positions, %coordinates : tensor<2xi32>, tensor<3xi32>)
    out_vals(%values : tensor<3xf64>)
    -> (tensor<2xi32>, tensor<3xi32>), tensor<3xf64>, (index, index), index
  // expected-error@+2 {{the tuples have 2 coordinates, and these 3}}
  %s, %t, %u, %sn, %tn, %un = sparse_tensor.disassemble %c : tensor<4x8xf64, #COO>
    out_lvls(%positions, %triples : tensor<2xi32>, tensor<3x3xi32>)
    out_vals(%values : tensor<3xf64>)
    -> (tensor<2xi32>, tensor<3x3xi32>), tensor<3xf64>, (index, index), index
  // expected-error@+1 {{the encoding has 2 arrays of positions and coordinates, and 1 are given}}
  %w, %x, %wn, %xn = sparse_tensor.disassemble %a : tensor<4x8xf64, #CSR>
    out_lvls(%coordinates : tensor<3xi32>)
    out_vals(%values : tensor<3xf64>)
    -> (tensor<3xi32>), tensor<3xf64>, (index), index
  // expected-error@+3 {{this array is `tensor<3xf64>`, and its result `tensor<4xf64>`}}
  %y, %z, %i, %yn, %zn, %in = sparse_tensor.disassemble %a : tensor<4x8xf64, #CSR>
    out_lvls(%positions, %coordinates : tensor<2xi32>, tensor<3xi32>)
    out_vals(%values : tensor<3xf64>)
    -> (tensor<2xi32>, tensor<3xi32>), tensor<4xf64>, (index, index), index
  return
}

func.func @lengths(%a: tensor<4x8xf64, #CSR>, %values: tensor<3xf64>, %positions: tensor<5xi32>, %coordinates: tensor<3xi32>) {
  // expected-error@+4 {{how long an array is, is an integer or `index`, not `memref<2xf64>`}}
  %p, %q, %r, %pn, %qn, %rn = sparse_tensor.disassemble %a : tensor<4x8xf64, #CSR>
    out_lvls(%positions, %coordinates : tensor<5xi32>, tensor<3xi32>)
    out_vals(%values : tensor<3xf64>)
    -> (tensor<5xi32>, tensor<3xi32>), tensor<3xf64>, (memref<2xf64>, index), index
  // expected-error@+4 {{how long an array is, is an integer or `index`, not `f16`}}
  %s, %t, %u, %sn, %tn, %un = sparse_tensor.disassemble %a : tensor<4x8xf64, #CSR>
    out_lvls(%positions, %coordinates : tensor<5xi32>, tensor<3xi32>)
    out_vals(%values : tensor<3xf64>)
    -> (tensor<5xi32>, tensor<3xi32>), tensor<3xf64>, (i32, f16), index
  return
}
