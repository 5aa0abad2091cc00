// The layout and the memory of a buffer are parts of its type.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#third = 3
#rows = strided<[2, 1]>
func.func private @takes(memref<2x2xf32>)
func.func @uses(%m: memref<3x4xf32>, %s: memref<2x2xf32, strided<[4, 2], offset: 5>>, %g: f32, %i: index, %c: i1) {
  memref.store %g, %s[%i, %i] : memref<2x2xf32, strided<[4, 2], offset: 5>>
  // expected-error@+1 {{`%s` is `memref<2x2xf32, strided<[4, 2], offset: 5>>`, not `memref<2x2xf32, strided<[4, 3], offset: 5>>`}}
  memref.store %g, %s[%i, %i] : memref<2x2xf32, strided<[4, 3], offset: 5>>
  // expected-error@+1 {{`%s` is `memref<2x2xf32, strided<[4, 2], offset: 5>>`, not `memref<2x2xf32>`}}
  %0 = memref.load %s[%i, %i] : memref<2x2xf32>
  // expected-error@+1 {{`@takes` takes `memref<2x2xf32>` here}}
  call @takes(%s) : (memref<2x2xf32, strided<[4, 2], offset: 5>>) -> ()
  // expected-error@+1 {{`%s` is `memref<2x2xf32, strided<[4, 2], offset: 5>>`, not `memref<3x4xf32>`}}
  %1 = arith.select %c, %m, %s : memref<3x4xf32>
  return
}
func.func @memories(%a: memref<2x2xf32, 1>, %i: index) -> memref<2x2xf32, 3> {
  %0 = memref.load %a[%i, %i] : memref<2x2xf32, 1 : i64>
  // expected-error@+1 {{`%a` is `memref<2x2xf32, 1>`, not `memref<2x2xf32, 2>`}}
  %1 = memref.load %a[%i, %i] : memref<2x2xf32, 2>
  // expected-error@+1 {{the view is a `memref<1x2xf32, 1>`}}
  %2 = memref.subview %a[0, 0] [1, 2] [1, 1] : memref<2x2xf32, 1> to memref<2xf32>
  %3 = memref.subview %a[0, 0] [1, 2] [1, 1] : memref<2x2xf32, 1> to memref<2xf32, 1>
  // expected-error@+1 {{`%a` is `memref<2x2xf32, 1>`, not `memref<2x2xf32, 3>`}}
  return %a : memref<2x2xf32, #third>
}
func.func @same_in_other_words(%a: memref<2x2xf32, #rows>, %b: memref<2x2xf32, affine_map<(i, j) -> (i, j)>, 0>, %i: index) {
  %0 = memref.load %a[%i, %i] : memref<2x2xf32, strided<[2, 1], offset: 0>>
  %1 = memref.load %b[%i, %i] : memref<2x2xf32>
  // expected-error@+1 {{`%a` is `memref<2x2xf32, strided<[2, 1]>>`, not `memref<2x2xf32>`}}
  %2 = memref.load %a[%i, %i] : memref<2x2xf32>
  // expected-error@+1 {{not `memref<2x2xf32, affine_map<(d0, d1) -> (d1, d0)>>`}}
  %3 = memref.load %a[%i, %i] : memref<2x2xf32, affine_map<(i, j) -> (j, i)>>
  return
}
func.func @casts(%a: memref<2x2xf32>, %b: memref<2x2xf32, 1>) {
  %0 = memref.cast %a : memref<2x2xf32> to memref<?x2xf32, strided<[?, 1], offset: ?>>
  // expected-error@+1 {{`memref<2x2xf32>` cannot be `memref<2x2xf32, strided<[3, 1]>>`}}
  %1 = memref.cast %a : memref<2x2xf32> to memref<2x2xf32, strided<[3, 1]>>
  // expected-error@+1 {{`memref<2x2xf32>` cannot be `memref<2x2xf32, strided<[2, 1], offset: 1>>`}}
  %2 = memref.cast %a : memref<2x2xf32> to memref<2x2xf32, strided<[2, 1], offset: 1>>
  // expected-error@+1 {{`memref<2x2xf32, 1>` cannot be `memref<?x2xf32>`}}
  %3 = memref.cast %b : memref<2x2xf32, 1> to memref<?x2xf32>
  // expected-error@+1 {{`memref<2x2xf32, 1>` cannot be `memref<*xf32>`}}
  %4 = memref.cast %b : memref<2x2xf32, 1> to memref<*xf32>
  %5 = memref.cast %b : memref<2x2xf32, 1> to memref<*xf32, 1>
  return
}
func.func @made(%t: tensor<4xf64, #V>) {
  // expected-error@+1 {{the array is `memref<?xf64>`}}
  %0 = sparse_tensor.values %t : tensor<4xf64, #V> to memref<?xf64, 1>
  // expected-error@+1 {{`memref<2x2xf64, strided<[?, 1]>>` leaves open where its coordinates are}}
  %1 = memref.alloc() : memref<2x2xf64, strided<[?, 1]>>
  return
}
func.func @dropped(%m: memref<1x4x1xf64>, %n: index) {
  %0 = memref.subview %m[0, 0, 0] [1, 2, 1] [1, 1, 1] : memref<1x4x1xf64> to memref<2x1xf64, strided<[1, 1]>>
  %1 = memref.subview %m[0, 0, 0] [1, 2, 1] [1, 1, 1] : memref<1x4x1xf64> to memref<2xf64>
  // expected-error@+1 {{the view is a `memref<1x2x1xf64, strided<[4, 1, 1]>>`}}
  %2 = memref.subview %m[0, 0, 0] [1, 2, 1] [1, 1, 1] : memref<1x4x1xf64> to memref<1x2xf64>
  // expected-error@+1 {{the view is a `memref<1x?x1xf64, strided<[4, 1, 1]>>`}}
  %3 = memref.subview %m[0, 0, 0] [1, %n, 1] [1, 1, 1] : memref<1x4x1xf64> to memref<f64>
  return
}
// expected-error@+1 {{a memory space ends the type of a memref}}
func.func private @a(memref<2x2xf32, 1, strided<[2, 1]>>)
// expected-error@+1 {{a memref without a rank has no layout}}
func.func private @b(memref<*xf32, strided<[2, 1]>>)
func.func @vectors(%m: memref<4x4xf64, strided<[1, 4]>>, %i: index, %v: vector<2xf64>, %one: vector<1xf64>) {
  // expected-error@+1 {{the last stride is not 1}}
  %0 = vector.load %m[%i, %i] : memref<4x4xf64, strided<[1, 4]>>, vector<2xf64>
  // expected-error@+1 {{the last stride is not 1}}
  vector.store %v, %m[%i, %i] : memref<4x4xf64, strided<[1, 4]>>, vector<2xf64>
  vector.store %one, %m[%i, %i] : memref<4x4xf64, strided<[1, 4]>>, vector<1xf64>
  return
}
