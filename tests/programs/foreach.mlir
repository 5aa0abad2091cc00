// sparse_tensor.foreach over sparse and dense tensors, with a carried value.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>

module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f64
    %a = arith.constant dense<[[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]> : tensor<2x3xf64>
    %csr = sparse_tensor.convert %a : tensor<2x3xf64> to tensor<2x3xf64, #CSR>
    %csc = sparse_tensor.convert %a : tensor<2x3xf64> to tensor<2x3xf64, #CSC>
    sparse_tensor.foreach in %csr : tensor<2x3xf64, #CSR> do {
      ^bb0(%i: index, %j: index, %v: f64):
        vector.print %i : index
        vector.print %j : index
        vector.print %v : f64
    }
    sparse_tensor.foreach in %csc : tensor<2x3xf64, #CSC> do {
      ^bb0(%i: index, %j: index, %v: f64):
        vector.print %i : index
        vector.print %j : index
        vector.print %v : f64
    }
    %sum = sparse_tensor.foreach in %csr init(%f0) : tensor<2x3xf64, #CSR>, f64 -> f64 do {
      ^bb0(%i: index, %j: index, %v: f64, %s: f64):
        %t = arith.addf %s, %v : f64
        sparse_tensor.yield %t : f64
    }
    vector.print %sum : f64
    return
  }
}
