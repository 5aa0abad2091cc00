// Levels: their numbers, coordinates from the ones to the others, the same arrays under another map.
#BSR = #sparse_tensor.encoding<{
  map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)
}>
#Other = #sparse_tensor.encoding<{ map = (i, j, k, l) -> (i : dense, j : compressed, k : dense, l : compressed) }>
#Same = #sparse_tensor.encoding<{ map = (i, j, k, l) -> (i : dense, j : compressed, k : dense, l : dense) }>
#Part = #sparse_tensor.encoding<{
  map = (i : #sparse_tensor<slice(1, 4, 1)>, j : #sparse_tensor<slice(1, 8, 2)>) -> (i : dense, j : compressed)
}>

func.func @coordinates(%i: index, %j: index, %k: index) {
  // expected-error@+1 {{the encoding has 4 levels, and there are 3 results}}
  %a, %b, %c = sparse_tensor.crd_translate dim_to_lvl [%i, %j] as #BSR : index, index, index
  // expected-error@+1 {{the encoding has 2 dimensions, and 3 coordinates are given}}
  %d, %e, %f, %g = sparse_tensor.crd_translate dim_to_lvl [%i, %j, %k] as #BSR : index, index, index, index
  // expected-error@+1 {{the encoding has 4 levels, and 2 coordinates are given}}
  %l, %m = sparse_tensor.crd_translate lvl_to_dim [%i, %j] as #BSR : index, index
  return
}

func.func @level(%t: tensor<?x?xi32, #BSR>) {
  %five = arith.constant 5 : index
  // expected-error@+1 {{there is no level 5: the tensor has levels 0 to 3}}
  %size = sparse_tensor.lvl %t, %five : tensor<?x?xi32, #BSR>
  return
}

func.func @reinterpreted(%t: tensor<6x12xi32, #BSR>) {
  // expected-error@+1 {{level 3 is `dense`, and the result's is `compressed`}}
  %format = sparse_tensor.reinterpret_map %t : tensor<6x12xi32, #BSR> to tensor<3x4x2x3xi32, #Other>
  // expected-error@+1 {{the values are `i32`, and the result's `f32`}}
  %element = sparse_tensor.reinterpret_map %t : tensor<6x12xi32, #BSR> to tensor<3x4x2x3xf32, #Same>
  // expected-error@+1 {{the levels have sizes [3, 4, 2, 3], and the result's [3, 4, 2, 4]}}
  %size = sparse_tensor.reinterpret_map %t : tensor<6x12xi32, #BSR> to tensor<3x4x2x4xi32, #Same>
  %right = sparse_tensor.reinterpret_map %t : tensor<6x12xi32, #BSR> to tensor<3x4x2x3xi32, #Same>
  return
}

func.func @sliced(%t: tensor<4x8xf64, #Part>, %whole: tensor<6x12xi32, #BSR>) {
  // expected-error@+1 {{the tensor has dimensions 0 to 1}}
  %offset = sparse_tensor.slice.offset %t at 2 : tensor<4x8xf64, #Part>
  // expected-error@+1 {{the tensor has dimensions 0 to 1}}
  %stride = sparse_tensor.slice.stride %t at 2 : tensor<4x8xf64, #Part>
  // expected-error@+1 {{dimension 0 is no slice}}
  %none = sparse_tensor.slice.stride %whole at 0 : tensor<6x12xi32, #BSR>
  return
}

#List = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonordered)) }>
#Ordered = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
#Columns = #sparse_tensor.encoding<{ map = (i, j) -> (j : compressed(nonunique), i : singleton) }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @reordered(%t: tensor<?x?xf32, #List>, %rows: tensor<?x?xf32, #CSR>) {
  // expected-error@+1 {{the result has its levels in another order of dimensions}}
  %columns = sparse_tensor.reorder_coo quick_sort %t : tensor<?x?xf32, #List> to tensor<?x?xf32, #Columns>
  // expected-error@+1 {{the result stores values, positions or coordinates of another type}}
  %wide = sparse_tensor.reorder_coo quick_sort %t : tensor<?x?xf32, #List> to tensor<?x?xf64, #Ordered>
  // expected-error@+1 {{lists of coordinates are reordered}}
  %list = sparse_tensor.reorder_coo quick_sort %rows : tensor<?x?xf32, #CSR> to tensor<?x?xf32, #Ordered>
  return
}
