// differs: MLIR 22 stores entries that are inserted out of order as they come, and twice where they repeat
// Inserted entries may come in any order; the last one at a place holds.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %f1 = arith.constant 1.0 : f64
    %f2 = arith.constant 2.0 : f64
    %e = tensor.empty() : tensor<3x4xf64, #CSR>
    %a = tensor.insert %f1 into %e[%c2, %c1] : tensor<3x4xf64, #CSR>
    %b = tensor.insert %f2 into %a[%c0, %c2] : tensor<3x4xf64, #CSR>
    %c = tensor.insert %f2 into %b[%c2, %c1] : tensor<3x4xf64, #CSR>
    %d = sparse_tensor.load %c hasInserts : tensor<3x4xf64, #CSR>
    sparse_tensor.print %d : tensor<3x4xf64, #CSR>
    return
  }
}
