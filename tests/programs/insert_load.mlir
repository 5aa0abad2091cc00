// tensor.insert in a loop, and sparse_tensor.load.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#SparseVector = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %c2 = arith.constant 2 : index
    %f = arith.constant 1.5 : f64
    %e = tensor.empty() : tensor<10xf64, #SparseVector>
    %t = scf.for %i = %c0 to %c9 step %c3 iter_args(%x = %e) -> (tensor<10xf64, #SparseVector>) {
      %y = tensor.insert %f into %x[%i] : tensor<10xf64, #SparseVector>
      scf.yield %y : tensor<10xf64, #SparseVector>
    }
    %l = sparse_tensor.load %t hasInserts : tensor<10xf64, #SparseVector>
    sparse_tensor.print %l : tensor<10xf64, #SparseVector>
    %n = sparse_tensor.number_of_entries %l : tensor<10xf64, #SparseVector>
    vector.print %n : index
    %m = tensor.empty() : tensor<3x4xf64, #CSR>
    %m1 = tensor.insert %f into %m[%c0, %c3] : tensor<3x4xf64, #CSR>
    %m2 = tensor.insert %f into %m1[%c2, %c1] : tensor<3x4xf64, #CSR>
    %ml = sparse_tensor.load %m2 hasInserts : tensor<3x4xf64, #CSR>
    sparse_tensor.print %ml : tensor<3x4xf64, #CSR>
    return
  }
}
