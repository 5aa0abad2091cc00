// What `arith.select` chooses by.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @f(%bits: tensor<2xi1>, %vbits: vector<2xi1>, %v: vector<3xf64>, %m: memref<2xf64>, %k: tensor<2x2xi1, #CSR>,
             %s: tensor<2x2xf64, #CSR>) {
  // expected-error@+1 {{`tensor<2xi1>` has no condition for each entry of `memref<2xf64>`}}
  %a = arith.select %bits, %m, %m : tensor<2xi1>, memref<2xf64>
  // expected-error@+1 {{`vector<2xi1>` has no condition for each entry of `vector<3xf64>`}}
  %b = arith.select %vbits, %v, %v : vector<2xi1>, vector<3xf64>
  // expected-error@+1 {{`%k` is a tensor with an encoding; `arith.select` takes a scalar, a vector or a tensor without an encoding}}
  %c = arith.select %k, %s, %s : tensor<2x2xi1, #CSR>, tensor<2x2xf64, #CSR>
  return
}
