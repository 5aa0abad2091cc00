// Operations on arrays take no tensor with an encoding: the types tell, so the check does.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#D = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
func.func @main(%s: tensor<2x2xi32, #D>, %a: tensor<2x2xi32>, %f: tensor<2x2xf64, #D>, %n: tensor<1xi32, #V>) {
  // expected-error@+1 {{`%s` is a tensor with an encoding; `tensor.insert_slice` takes a tensor without an encoding}}
  %0 = tensor.insert_slice %a into %s[0, 0] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<2x2xi32, #D>
  // expected-error@+1 {{`%s` is a tensor with an encoding; `tensor.insert_slice` takes a tensor without an encoding}}
  %1 = tensor.insert_slice %s into %a[0, 0] [2, 2] [1, 1] : tensor<2x2xi32, #D> into tensor<2x2xi32>
  // expected-error@+1 {{`%s` is a tensor with an encoding; `bufferization.to_buffer` takes a tensor without an encoding}}
  %2 = bufferization.to_buffer %s : tensor<2x2xi32, #D> to memref<2x2xi32>
  // expected-error@+1 {{`%n` is a tensor with an encoding; `tensor.reshape` takes a tensor without an encoding}}
  %3 = tensor.reshape %a(%n) : (tensor<2x2xi32>, tensor<1xi32, #V>) -> tensor<4xi32>
  // expected-error@+1 {{`%s` is a tensor with an encoding; `arith.addi` takes a scalar, a vector or a tensor without an encoding}}
  %4 = arith.addi %s, %s : tensor<2x2xi32, #D>
  // expected-error@+1 {{`%f` is a tensor with an encoding; `arith.negf` takes a scalar, a vector or a tensor without an encoding}}
  %5 = arith.negf %f : tensor<2x2xf64, #D>
  // expected-error@+1 {{`%f` is a tensor with an encoding; `arith.cmpf` takes a scalar, a vector or a tensor without an encoding}}
  %6 = arith.cmpf oeq, %f, %f : tensor<2x2xf64, #D>
  // expected-error@+1 {{`%f` is a tensor with an encoding; `math.sqrt` takes a scalar, a vector or a tensor without an encoding}}
  %7 = math.sqrt %f : tensor<2x2xf64, #D>
  // expected-error@+1 {{`%f` is a tensor with an encoding; `arith.bitcast` takes a scalar, a vector or a tensor without an encoding}}
  %8 = arith.bitcast %f : tensor<2x2xf64, #D> to tensor<2x2xi64, #D>
  return
}
