// Reads and writes by masks and places.

func.func @shapes(%m: memref<6xf32>, %i: index, %k: vector<4xi1>, %k3: vector<3xi1>, %v: vector<4xf32>, %d: vector<4xf64>, %p: vector<4xi32>, %q: vector<4xf32>, %w: vector<2x4xf32>, %kw: vector<2x4xi1>) {
  // expected-error@+1 {{the mask is `vector<4xi1>` here, not `vector<3xi1>`}}
  %0 = vector.maskedload %m[%i], %k3, %v : memref<6xf32>, vector<3xi1>, vector<4xf32> into vector<4xf32>
  // expected-error@+1 {{`memref<6xf32>` and `vector<4xf64>` have other elements}}
  %1 = vector.maskedload %m[%i], %k, %d : memref<6xf32>, vector<4xi1>, vector<4xf64> into vector<4xf64>
  // expected-error@+1 {{`memref<6xf32>` has 1 dimension, and 2 indices are given}}
  %2 = vector.expandload %m[%i, %i], %k, %v : memref<6xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // expected-error@+1 {{`vector<3xf32>` is read here, and this is `vector<4xf32>`}}
  %3 = vector.gather %m[%i] [%p], %k, %v : memref<6xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<3xf32>
  // expected-error@+1 {{places are `vector<4xindex>` here, or of integers, not `vector<4xf32>`}}
  vector.scatter %m[%i] [%q], %k, %v : memref<6xf32>, vector<4xf32>, vector<4xi1>, vector<4xf32>
  // expected-error@+1 {{a vector of 2 dimensions is no part of a memref of 1}}
  vector.maskedstore %m[%i], %kw, %w : memref<6xf32>, vector<2x4xi1>, vector<2x4xf32>
  // expected-error@+1 {{3 types are wanted here, one of each operand that is no index}}
  vector.compressstore %m[%i], %k, %v : memref<6xf32>, vector<4xf32>
  return
}
