// A row is gathered in a workspace, and inserted at once.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %true = arith.constant true
  %x = arith.constant 5.0 : f64
  %y = arith.constant 6.0 : f64
  %t = tensor.empty() : tensor<3x6xf64, #CSR>
  %values, %filled, %added, %count = sparse_tensor.expand %t : tensor<3x6xf64, #CSR> to memref<?xf64>, memref<?xi1>, memref<?xindex>
  memref.store %y, %values[%c4] : memref<?xf64>
  memref.store %true, %filled[%c4] : memref<?xi1>
  memref.store %c4, %added[%c0] : memref<?xindex>
  memref.store %x, %values[%c1] : memref<?xf64>
  memref.store %true, %filled[%c1] : memref<?xi1>
  memref.store %c1, %added[%c1] : memref<?xindex>
  %r = sparse_tensor.compress %values, %filled, %added, %c2 into %t[%c2] : memref<?xf64>, memref<?xi1>, memref<?xindex>, tensor<3x6xf64, #CSR>
  %done = sparse_tensor.load %r hasInserts : tensor<3x6xf64, #CSR>
  sparse_tensor.print %done : tensor<3x6xf64, #CSR>
  bufferization.dealloc_tensor %done : tensor<3x6xf64, #CSR>
  return
}
