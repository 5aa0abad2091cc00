// Words and attributes of operations on buffers that have none, or others.
func.func @main() {
  %i = arith.constant 0 : index
  %t = arith.constant dense<1.0> : tensor<4xf32>
  // expected-error@+1 {{`alignment` is a power of two}}
  %a = memref.alloc() {alignment = 3 : i64} : memref<4xf32>
  // expected-error@+1 {{`alignment` is a power of two}}
  %b = memref.alloc() {alignment = "x"} : memref<4xf32>
  // expected-error@+1 {{`alignment` is a power of two}}
  %c = memref.alloca() {alignment = 64 : i32} : memref<4xf32>
  %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  // expected-error@+1 {{`nontemporal` is `true` or `false`}}
  %d = memref.load %m[%i] {nontemporal = 3} : memref<4xf32>
  // expected-error@+1 {{`nontemporal` is `true` or `false`}}
  %e = vector.load %m[%i] {nontemporal = 3} : memref<4xf32>, vector<4xf32>
  %x = memref.load %m[%i] {nontemporal = true} : memref<4xf32>
  // expected-error@+1 {{`alignment` is a power of two}}
  memref.store %x, %m[%i] {alignment = 0 : i64} : memref<4xf32>
  // expected-error@+1 {{expected `:`, found `read_only`}}
  %f = bufferization.to_tensor %m read_only : memref<4xf32> to tensor<4xf32>
  // expected-error@+1 {{expected `:`, found `restrict`}}
  %g = bufferization.to_tensor %m writable restrict : memref<4xf32> to tensor<4xf32>
  // expected-error@+1 {{expected `:`, found `writable`}}
  %h = bufferization.to_buffer %t writable : tensor<4xf32> to memref<4xf32>
  // expected-error@+1 {{`restrict` is said of memrefs, and `%t` is a tensor}}
  %j = bufferization.materialize_in_destination %t in restrict %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{a memref is written to only where `writable` stands in front of `%m`}}
  bufferization.materialize_in_destination %t in %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %k = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %l = bufferization.to_buffer %k read_only : tensor<4xf32> to memref<4xf32>
  bufferization.materialize_in_destination %k in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
