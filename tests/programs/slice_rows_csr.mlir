// The first rows.
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#Part = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 4, 1)>, j : #sparse_tensor<slice(0, 8, 1)>) -> (i : dense, j : compressed) }>

func.func @main() {
  %d = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 3.0, 0.0, 4.0, 0.0], [0.0, 0.0, 5.0, 0.0, 0.0, 6.0, 0.0, 7.0], [8.0, 0.0, 0.0, 9.0, 0.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 3.0, 4.0, 0.0, 0.0, 5.0], [6.0, 0.0, 7.0, 0.0, 0.0, 8.0, 9.0, 0.0], [0.0, 1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0], [5.0, 0.0, 6.0, 0.0, 7.0, 0.0, 8.0, 0.0], [0.0, 9.0, 0.0, 1.0, 0.0, 2.0, 0.0, 3.0]]> : tensor<8x8xf64>
  %a = sparse_tensor.convert %d : tensor<8x8xf64> to tensor<8x8xf64, #A>
  %part = tensor.extract_slice %a[0, 0][4, 8][1, 1] : tensor<8x8xf64, #A> to tensor<4x8xf64, #Part>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %whole = sparse_tensor.convert %part : tensor<4x8xf64, #Part> to tensor<4x8xf64>
  %v = vector.transfer_read %whole[%c0, %c0], %zero : tensor<4x8xf64>, vector<4x8xf64>
  vector.print %v : vector<4x8xf64>
  %sum = sparse_tensor.foreach in %part init(%zero) : tensor<4x8xf64, #Part>, f64 -> f64 do {
    ^bb0(%i: index, %j: index, %x: f64, %s: f64):
      %r = arith.addf %s, %x : f64
      sparse_tensor.yield %r : f64
  }
  vector.print %sum : f64
  return
}
