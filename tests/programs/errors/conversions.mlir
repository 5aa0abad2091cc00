// Widths and kinds of what conversions make, sizes of what is put together.
func.func @numbers(%i: i32, %f: f32, %n: index, %v: vector<2xf32>) {
  // expected-error@+1 {{`arith.extsi` makes a type wider of `i32`, not `i16`}}
  %a = arith.extsi %i : i32 to i16
  // expected-error@+1 {{`arith.trunci` makes a type narrower of `i32`, not `i64`}}
  %b = arith.trunci %i : i32 to i64
  // expected-error@+1 {{`arith.index_cast` makes `index`, not `i64`}}
  %c = arith.index_cast %i : i32 to i64
  // expected-error@+1 {{`arith.extf` makes a type wider of `f32`, not `f16`}}
  %d = arith.extf %f : f32 to f16
  // expected-error@+1 {{`arith.truncf` makes a type narrower of `f32`, not `f64`}}
  %e = arith.truncf %f : f32 to f64
  // expected-error@+1 {{`arith.bitcast` makes a type of the same width of `f32`, not `i64`}}
  %g = arith.bitcast %f : f32 to i64
  // expected-error@+1 {{`arith.sitofp` takes an integer type, not `index`}}
  %h = arith.sitofp %n : index to f64
  // expected-error@+1 {{`arith.fptosi` makes an integer type, not `f64`}}
  %j = arith.fptosi %f : f32 to f64
  // expected-error@+1 {{`arith.extf` keeps the shape of `vector<2xf32>`, and this is `vector<3xf64>`}}
  %k = arith.extf %v : vector<2xf32> to vector<3xf64>
  // expected-error@+1 {{the last dimension of `vector<2xf32>` has 64 bits, that of `vector<3xi16>` 48}}
  %l = vector.bitcast %v : vector<2xf32> to vector<3xi16>
  // expected-error@+1 {{dimension 1 has 4 entries, and 5 are masked}}
  %m = vector.constant_mask [2, 5] : vector<4x4xi1>
  // expected-error@+1 {{where one size is 0 all are}}
  %o = vector.constant_mask [0, 2] : vector<4x4xi1>
  return
}

func.func @shapes(%a: tensor<2x3xf64>, %b: tensor<4x3xf64>, %m: memref<4xf64>, %n: memref<5xf64>, %x: f64) {
  // expected-error@+1 {{the tensors have 6 in dimension 0 together, and the result has 7}}
  %c = tensor.concat dim(0) %a, %b : (tensor<2x3xf64>, tensor<4x3xf64>) -> tensor<7x3xf64>
  // expected-error@+1 {{`tensor<4x3xf64>` is no part of `tensor<2x6xf64>`}}
  %d = tensor.concat dim(1) %a, %b : (tensor<2x3xf64>, tensor<4x3xf64>) -> tensor<2x6xf64>
  // expected-error@+1 {{`memref<4xf64>` cannot be `memref<5xf64>`}}
  %e = memref.cast %m : memref<4xf64> to memref<5xf64>
  // expected-error@+1 {{`memref<4xf64>` cannot be copied to `memref<5xf64>`}}
  memref.copy %m, %n : memref<4xf64> to memref<5xf64>
  // expected-error@+4 {{dimension 1 is 6 with what pads it, and the result has 5}}
  %f = tensor.pad %a low[0, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f64
  } : tensor<2x3xf64> to tensor<2x5xf64>
  return
}
