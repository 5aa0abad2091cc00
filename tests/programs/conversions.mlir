// One dense matrix in many encodings, and from one to another.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>
#DCSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>
#COO = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton) }>
#SOA = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa)) }>
#BSR = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>
#CD = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : dense) }>
#DD = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : dense) }>

module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f64
    %dense = arith.constant dense<[
      [ 1.0, 0.0, 0.0, 2.0 ],
      [ 0.0, 0.0, 0.0, 0.0 ],
      [ 0.0, 3.5, 0.0, 0.0 ],
      [ 4.0, 0.0, -5.0, 0.0 ] ]> : tensor<4x4xf64>
    %csr = sparse_tensor.convert %dense : tensor<4x4xf64> to tensor<4x4xf64, #CSR>
    %csc = sparse_tensor.convert %csr : tensor<4x4xf64, #CSR> to tensor<4x4xf64, #CSC>
    %dcsr = sparse_tensor.convert %csc : tensor<4x4xf64, #CSC> to tensor<4x4xf64, #DCSR>
    %coo = sparse_tensor.convert %dcsr : tensor<4x4xf64, #DCSR> to tensor<4x4xf64, #COO>
    %soa = sparse_tensor.convert %coo : tensor<4x4xf64, #COO> to tensor<4x4xf64, #SOA>
    %bsr = sparse_tensor.convert %dense : tensor<4x4xf64> to tensor<4x4xf64, #BSR>
    %cd = sparse_tensor.convert %dense : tensor<4x4xf64> to tensor<4x4xf64, #CD>
    %dd = sparse_tensor.convert %dense : tensor<4x4xf64> to tensor<4x4xf64, #DD>
    sparse_tensor.print %csr : tensor<4x4xf64, #CSR>
    sparse_tensor.print %csc : tensor<4x4xf64, #CSC>
    sparse_tensor.print %dcsr : tensor<4x4xf64, #DCSR>
    sparse_tensor.print %coo : tensor<4x4xf64, #COO>
    sparse_tensor.print %soa : tensor<4x4xf64, #SOA>
    sparse_tensor.print %bsr : tensor<4x4xf64, #BSR>
    sparse_tensor.print %cd : tensor<4x4xf64, #CD>
    sparse_tensor.print %dd : tensor<4x4xf64, #DD>
    %back = sparse_tensor.convert %csc : tensor<4x4xf64, #CSC> to tensor<4x4xf64>
    %v = vector.transfer_read %back[%c0, %c0], %zero : tensor<4x4xf64>, vector<4x4xf64>
    vector.print %v : vector<4x4xf64>
    bufferization.dealloc_tensor %csr : tensor<4x4xf64, #CSR>
    bufferization.dealloc_tensor %back : tensor<4x4xf64>
    return
  }
}
