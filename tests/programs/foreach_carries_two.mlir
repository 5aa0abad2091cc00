// The types of several results stand without parentheses.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @main() {
  %x = arith.constant dense<[[1.0, 0.0, 2.0], [0.0, 4.0, 0.0]]> : tensor<2x3xf64>
  %a = sparse_tensor.convert %x : tensor<2x3xf64> to tensor<2x3xf64, #CSR>
  %f0 = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %bare:2 = sparse_tensor.foreach in %a init(%f0, %c0) : tensor<2x3xf64, #CSR>, f64, index -> f64, index do {
    ^bb0(%i: index, %j: index, %v: f64, %sum: f64, %columns: index):
      %s = arith.addf %sum, %v : f64
      %c = arith.addi %columns, %j : index
      sparse_tensor.yield %s, %c : f64, index
  }
  vector.print %bare#0 : f64
  vector.print %bare#1 : index
  %pair:2 = sparse_tensor.foreach in %a init(%f0, %c0) : tensor<2x3xf64, #CSR>, f64, index -> f64, index do {
    ^bb0(%i: index, %j: index, %v: f64, %sum: f64, %rows: index):
      %s = arith.subf %sum, %v : f64
      %r = arith.addi %rows, %i : index
      sparse_tensor.yield %s, %r : f64, index
  }
  vector.print %pair#0 : f64
  vector.print %pair#1 : index
  return
}
