// The encoding of compressed sparse rows, a function over it, and a program that runs it.
// `nnz run examples/csr.mlir` runs @main, `nnz check examples/csr.mlir` checks it; in a session
// `use "examples/csr.mlir"` makes #CSR known.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.matvec ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) outs(%y : tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 4.0]]> : tensor<3x3xf64>
  %A = sparse_tensor.convert %dense : tensor<3x3xf64> to tensor<?x?xf64, #CSR>
  sparse_tensor.print %A : tensor<?x?xf64, #CSR>
  %ones = arith.constant dense<1.0> : tensor<3xf64>
  %x = tensor.cast %ones : tensor<3xf64> to tensor<?xf64>
  %zeros = arith.constant dense<0.0> : tensor<3xf64>
  %y = tensor.cast %zeros : tensor<3xf64> to tensor<?xf64>
  %r = call @spmv(%A, %x, %y) : (tensor<?x?xf64, #CSR>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %v = vector.transfer_read %r[%c0], %zero : tensor<?xf64>, vector<3xf64>
  vector.print %v : vector<3xf64>
  return
}
