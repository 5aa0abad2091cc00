// Tensors, buffers, vectors and scalars, each where another is wanted.
func.func @main() {
  %c = arith.constant 0 : index
  %f = arith.constant 1.0 : f64
  %t = arith.constant dense<1.0> : tensor<2x2xf64>
  %ti = arith.constant dense<1> : tensor<2x2xi32>
  %t1 = arith.constant dense<1.0> : tensor<2xf64>
  %v = arith.constant dense<1.0> : vector<2x2xf64>
  %m = memref.alloc() : memref<2x2xf64>
  // expected-error@+1 {{`%t` is a tensor; `memref.load` takes a memref}}
  %a = memref.load %t[%c, %c] : tensor<2x2xf64>
  // expected-error@+1 {{`%m` is a memref; `tensor.extract` takes a tensor}}
  %b = tensor.extract %m[%c, %c] : memref<2x2xf64>
  // expected-error@+1 {{`%v` is a vector; `tensor.dim` takes a tensor}}
  %d = tensor.dim %v, %c : vector<2x2xf64>
  // expected-error@+1 {{`%f` is `f64`; `memref.dealloc` takes a memref}}
  memref.dealloc %f : f64
  // expected-error@+1 {{`%m` is a memref; `arith.addf` takes a scalar, a vector or a tensor without an encoding}}
  %e = arith.addf %m, %m : memref<2x2xf64>
  // expected-error@+1 {{`%t` is a tensor; `vector.broadcast` takes a vector or a scalar}}
  %g = vector.broadcast %t : tensor<2x2xf64> to vector<2x2xf64>
  // expected-error@+1 {{`%m` is a memref, and `%t` is a tensor}}
  %h = linalg.matmul ins(%m, %m : memref<2x2xf64>, memref<2x2xf64>) outs(%t : tensor<2x2xf64>) -> tensor<2x2xf64>
  // expected-error@+1 {{`linalg.fill` gives a tensor, and this is a memref}}
  %i = linalg.fill ins(%f : f64) outs(%m : memref<2x2xf64>) -> memref<2x2xf64>
  // expected-error@+1 {{`%v` is a vector; `linalg.fill` takes a tensor or a memref}}
  %j = linalg.fill ins(%f : f64) outs(%v : vector<2x2xf64>) -> vector<2x2xf64>
  // expected-error@+1 {{`linalg.fill` takes 2 operands, not 3}}
  %k = linalg.fill ins(%f, %f : f64, f64) outs(%t : tensor<2x2xf64>) -> tensor<2x2xf64>
  // expected-error@+1 {{the result has elements `f64`, and `%ti` has `i32`}}
  %l = tensor.extract_slice %ti[0, 0] [1, 1] [1, 1] : tensor<2x2xi32> to tensor<1x1xf64>
  // expected-error@+1 {{`%ti` has elements `i32`, the result `f64`}}
  %n = linalg.add ins(%ti, %ti : tensor<2x2xi32>, tensor<2x2xi32>) outs(%t : tensor<2x2xf64>) -> tensor<2x2xf64>
  // expected-error@+1 {{`%t1` has 1 dimension, and the result 2}}
  %o = linalg.add ins(%t1, %t1 : tensor<2xf64>, tensor<2xf64>) outs(%t : tensor<2x2xf64>) -> tensor<2x2xf64>
  // expected-error@+1 {{`%f` is `f64`; `linalg.map` takes a tensor or a memref}}
  %p = linalg.map { math.sqrt } ins(%f : f64) outs(%t : tensor<2x2xf64>)
  // expected-error@+1 {{the result is `i1`, not `f64`}}
  %q = "arith.cmpf"(%f, %f) <{predicate = 1 : i64}> : (f64, f64) -> f64
  return
}
