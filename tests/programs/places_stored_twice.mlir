// differs: MLIR 22 takes one of the entries that share a place
// Entries that share a place are one entry, their sum: to read, to replace, and to drop if it is zero.
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton(nonunique)) }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @main() {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i64
  %p = arith.constant dense<[0, 5]> : tensor<2xindex>
  %c = arith.constant dense<[[0, 0], [0, 0], [0, 1], [1, 1], [1, 1]]> : tensor<5x2xindex>
  %w = arith.constant dense<[10, 20, 3, 5, -5]> : tensor<5xi64>
  %a = sparse_tensor.assemble (%p, %c), %w : (tensor<2xindex>, tensor<5x2xindex>), tensor<5xi64> to tensor<2x2xi64, #COO>
  %x = tensor.extract %a[%c0, %c0] : tensor<2x2xi64, #COO>
  vector.print %x : i64
  %b = tensor.insert %seven into %a[%c0, %c0] : tensor<2x2xi64, #COO>
  %l = sparse_tensor.load %b hasInserts : tensor<2x2xi64, #COO>
  sparse_tensor.print %l : tensor<2x2xi64, #COO>
  %t = sparse_tensor.concatenate %a, %a {dimension = 0 : index} : tensor<2x2xi64, #COO>, tensor<2x2xi64, #COO> to tensor<4x2xi64, #CSR>
  sparse_tensor.print %t : tensor<4x2xi64, #CSR>
  return
}
