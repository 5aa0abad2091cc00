// A loop inserts a thousand entries; every third is printed back by its sum.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %rows = arith.constant 10 : index
  %columns = arith.constant 100 : index
  %zero = arith.constant 0.0 : f64
  %t = tensor.empty() : tensor<10x100xf64, #CSR>
  %all = scf.for %i = %c0 to %rows step %c1 iter_args(%row = %t) -> tensor<10x100xf64, #CSR> {
    %done = scf.for %j = %c0 to %columns step %c3 iter_args(%old = %row) -> tensor<10x100xf64, #CSR> {
      %s = arith.addi %i, %j : index
      %n = arith.index_cast %s : index to i64
      %x = arith.sitofp %n : i64 to f64
      %new = tensor.insert %x into %old[%i, %j] : tensor<10x100xf64, #CSR>
      scf.yield %new : tensor<10x100xf64, #CSR>
    }
    scf.yield %done : tensor<10x100xf64, #CSR>
  }
  %l = sparse_tensor.load %all hasInserts : tensor<10x100xf64, #CSR>
  %nse = sparse_tensor.number_of_entries %l : tensor<10x100xf64, #CSR>
  vector.print %nse : index
  %sum = sparse_tensor.foreach in %l init(%zero) : tensor<10x100xf64, #CSR>, f64 -> f64 do {
    ^bb0(%i: index, %j: index, %v: f64, %s: f64):
      %r = arith.addf %s, %v : f64
      sparse_tensor.yield %r : f64
  }
  vector.print %sum : f64
  bufferization.dealloc_tensor %l : tensor<10x100xf64, #CSR>
  return
}
