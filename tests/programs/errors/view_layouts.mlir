// The layout of a view is what its operation makes of its source's.
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
#SoA = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton(soa)) }>
func.func @coordinates(%a: tensor<3x4xf64, #COO>, %s: tensor<3x4xf64, #SoA>) {
  // expected-error@+1 {{the array is `memref<?xindex, strided<[?], offset: ?>>`}}
  %0 = sparse_tensor.coordinates %a {level = 0 : index} : tensor<3x4xf64, #COO> to memref<?xindex>
  // expected-error@+1 {{the array is `memref<?xindex, strided<[?], offset: ?>>`}}
  %1 = sparse_tensor.coordinates %a {level = 1 : index} : tensor<3x4xf64, #COO> to memref<?xindex, strided<[2], offset: 1>>
  %2 = sparse_tensor.coordinates %a {level = 1 : index} : tensor<3x4xf64, #COO> to memref<?xindex, strided<[?], offset: ?>>
  %3 = sparse_tensor.coordinates %s {level = 1 : index} : tensor<3x4xf64, #SoA> to memref<?xindex>
  // expected-error@+1 {{the array is `memref<?xindex>`}}
  %4 = sparse_tensor.coordinates %s {level = 1 : index} : tensor<3x4xf64, #SoA> to memref<?xindex, strided<[?], offset: ?>>
  return
}
func.func @views(%m: memref<4x4xf64>, %o: memref<?x?xf64>, %i: index) {
  %0 = memref.subview %m[0, 0] [2, 4] [1, 1] : memref<4x4xf64> to memref<2x4xf64>
  %1 = memref.subview %m[%i, 0] [2, 2] [1, 1] : memref<4x4xf64> to memref<2x2xf64, strided<[4, 1], offset: ?>>
  %2 = memref.subview %o[1, 0] [2, 2] [1, 1] : memref<?x?xf64> to memref<2x2xf64, strided<[?, 1], offset: ?>>
  // expected-error@+1 {{the view is a `memref<2x2xf64, strided<[4, 1], offset: 4>>`}}
  %3 = memref.subview %m[1, 0] [2, 2] [1, 1] : memref<4x4xf64> to memref<2x2xf64, strided<[?, ?], offset: ?>>
  // expected-error@+1 {{the view is a `memref<2x2xf64, strided<[4, 1]>>`}}
  %4 = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x4xf64> to memref<2x2xf64>
  // expected-error@+1 {{the view is a `memref<2x2xf64, strided<[4, 1]>>`}}
  %5 = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x4xf64> to memref<?x?xf64, strided<[4, 1]>>
  // expected-error@+2 {{the view is a `memref<2x1xf64, strided<[4, 2], offset: ?>>`}}
  %6 = memref.subview %1[0, 0] [2, 1] [1, 2]
    : memref<2x2xf64, strided<[4, 1], offset: ?>> to memref<2x1xf64, strided<[4, 2]>>
  // expected-error@+1 {{the view is a `memref<2x2xf64, strided<[4, 1]>>`}}
  %7 = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1, 1>}> : (memref<4x4xf64>) -> memref<2x2xf64>
  return
}
