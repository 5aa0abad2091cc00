// A tensor that is made, one that is copied.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 8 : index
  %x = arith.constant 2.5 : f64
  %t = bufferization.alloc_tensor(%n) : tensor<?xf64, #V>
  %i = tensor.insert %x into %t[%c3] : tensor<?xf64, #V>
  %l = sparse_tensor.load %i hasInserts : tensor<?xf64, #V>
  sparse_tensor.print %l : tensor<?xf64, #V>
  %d = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %copy = bufferization.alloc_tensor() copy(%d) : tensor<3xf64>
  %zero = arith.constant 0.0 : f64
  %v = vector.transfer_read %copy[%c0], %zero : tensor<3xf64>, vector<3xf64>
  vector.print %v : vector<3xf64>
  bufferization.dealloc_tensor %l : tensor<?xf64, #V>
  return
}
