// The arrays of a tensor have a dimension for each batch level, and one of open size.
#B = #sparse_tensor.encoding<{ map = (b, i, j) -> (b : batch, i : dense, j : compressed) }>
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @f(%t: tensor<2x3x4xf64, #B>, %v: tensor<4xf64, #SV>) {
  // expected-error@+1 {{the array is `memref<2x?xindex>`, and the result is `memref<?xindex>`}}
  %p = sparse_tensor.positions %t {level = 2 : index} : tensor<2x3x4xf64, #B> to memref<?xindex>
  // expected-error@+1 {{the array is `memref<2x?xindex>`, and the result is `memref<3x?xindex>`}}
  %c = sparse_tensor.coordinates %t {level = 2 : index} : tensor<2x3x4xf64, #B> to memref<3x?xindex>
  // expected-error@+1 {{the array is `memref<2x?xf64>`, and the result is `memref<?x?xf64>`}}
  %a = sparse_tensor.values %t : tensor<2x3x4xf64, #B> to memref<?x?xf64>
  // expected-error@+1 {{the array is `memref<?xf64>`, and the result is `memref<4xf64>`}}
  %b = sparse_tensor.values %v : tensor<4xf64, #SV> to memref<4xf64>
  // expected-error@+1 {{`sparse_tensor.values` gives a memref, and this is a tensor}}
  %d = sparse_tensor.values %v : tensor<4xf64, #SV> to tensor<?xf64>
  // expected-error@+1 {{the array is `memref<?xindex>`, and the result is `memref<?x?xindex>`}}
  %e = sparse_tensor.positions %v {level = 0 : index} : tensor<4xf64, #SV> to memref<?x?xindex>
  return
}
