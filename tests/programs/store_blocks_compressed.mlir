// Blocks of 2x4 below compressed levels: empty rows of blocks are left out.
#RR = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : compressed, j floordiv 4 : compressed, i mod 2 : dense, j mod 4 : dense) }>
#RC = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : compressed, j floordiv 4 : compressed, j mod 4 : dense, i mod 2 : dense) }>
#CR = #sparse_tensor.encoding<{ map = (i, j) -> (j floordiv 4 : compressed, i floordiv 2 : compressed, i mod 2 : dense, j mod 4 : dense) }>
#CC = #sparse_tensor.encoding<{ map = (i, j) -> (j floordiv 4 : compressed, i floordiv 2 : compressed, j mod 4 : dense, i mod 2 : dense) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x8xf64>
  %rr = sparse_tensor.convert %dense : tensor<6x8xf64> to tensor<6x8xf64, #RR>
  sparse_tensor.print %rr : tensor<6x8xf64, #RR>
  %rr_back = sparse_tensor.convert %rr : tensor<6x8xf64, #RR> to tensor<6x8xf64>
  %rr_all = vector.transfer_read %rr_back[%c0, %c0], %zero : tensor<6x8xf64>, vector<6x8xf64>
  vector.print %rr_all : vector<6x8xf64>
  bufferization.dealloc_tensor %rr : tensor<6x8xf64, #RR>
  %rc = sparse_tensor.convert %dense : tensor<6x8xf64> to tensor<6x8xf64, #RC>
  sparse_tensor.print %rc : tensor<6x8xf64, #RC>
  %rc_back = sparse_tensor.convert %rc : tensor<6x8xf64, #RC> to tensor<6x8xf64>
  %rc_all = vector.transfer_read %rc_back[%c0, %c0], %zero : tensor<6x8xf64>, vector<6x8xf64>
  vector.print %rc_all : vector<6x8xf64>
  bufferization.dealloc_tensor %rc : tensor<6x8xf64, #RC>
  %cr = sparse_tensor.convert %dense : tensor<6x8xf64> to tensor<6x8xf64, #CR>
  sparse_tensor.print %cr : tensor<6x8xf64, #CR>
  %cr_back = sparse_tensor.convert %cr : tensor<6x8xf64, #CR> to tensor<6x8xf64>
  %cr_all = vector.transfer_read %cr_back[%c0, %c0], %zero : tensor<6x8xf64>, vector<6x8xf64>
  vector.print %cr_all : vector<6x8xf64>
  bufferization.dealloc_tensor %cr : tensor<6x8xf64, #CR>
  %cc = sparse_tensor.convert %dense : tensor<6x8xf64> to tensor<6x8xf64, #CC>
  sparse_tensor.print %cc : tensor<6x8xf64, #CC>
  %cc_back = sparse_tensor.convert %cc : tensor<6x8xf64, #CC> to tensor<6x8xf64>
  %cc_all = vector.transfer_read %cc_back[%c0, %c0], %zero : tensor<6x8xf64>, vector<6x8xf64>
  vector.print %cc_all : vector<6x8xf64>
  bufferization.dealloc_tensor %cc : tensor<6x8xf64, #CC>
  return
}
