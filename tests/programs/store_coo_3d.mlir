// Lists of coordinates of three dimensions: tuples, and an array for each level.
#COO = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton), posWidth = 32, crdWidth = 32 }>
#SoA = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique, soa), k : singleton(soa)) }>
#Turned = #sparse_tensor.encoding<{ map = (i, j, k) -> (k : compressed(nonunique), i : singleton(nonunique, soa), j : singleton(soa)) }>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %dense = arith.constant dense<[[[1.0, 2.0, 0.0], [3.0, 4.0, 0.0], [0.0, 0.0, 0.0]], [[5.0, 0.0, 6.0], [7.0, 8.0, 9.0], [0.0, 0.0, 0.0]], [[0.0, 10.0, 0.0], [0.0, 0.0, 0.0], [0.0, 11.0, 0.0]]]> : tensor<3x3x3xf64>
  %coo = sparse_tensor.convert %dense : tensor<3x3x3xf64> to tensor<3x3x3xf64, #COO>
  sparse_tensor.print %coo : tensor<3x3x3xf64, #COO>
  %coo_back = sparse_tensor.convert %coo : tensor<3x3x3xf64, #COO> to tensor<3x3x3xf64>
  %coo_all = vector.transfer_read %coo_back[%c0, %c0, %c0], %zero : tensor<3x3x3xf64>, vector<3x3x3xf64>
  vector.print %coo_all : vector<3x3x3xf64>
  bufferization.dealloc_tensor %coo : tensor<3x3x3xf64, #COO>
  %soa = sparse_tensor.convert %dense : tensor<3x3x3xf64> to tensor<3x3x3xf64, #SoA>
  sparse_tensor.print %soa : tensor<3x3x3xf64, #SoA>
  %soa_back = sparse_tensor.convert %soa : tensor<3x3x3xf64, #SoA> to tensor<3x3x3xf64>
  %soa_all = vector.transfer_read %soa_back[%c0, %c0, %c0], %zero : tensor<3x3x3xf64>, vector<3x3x3xf64>
  vector.print %soa_all : vector<3x3x3xf64>
  bufferization.dealloc_tensor %soa : tensor<3x3x3xf64, #SoA>
  %turned = sparse_tensor.convert %dense : tensor<3x3x3xf64> to tensor<3x3x3xf64, #Turned>
  sparse_tensor.print %turned : tensor<3x3x3xf64, #Turned>
  %turned_back = sparse_tensor.convert %turned : tensor<3x3x3xf64, #Turned> to tensor<3x3x3xf64>
  %turned_all = vector.transfer_read %turned_back[%c0, %c0, %c0], %zero : tensor<3x3x3xf64>, vector<3x3x3xf64>
  vector.print %turned_all : vector<3x3x3xf64>
  bufferization.dealloc_tensor %turned : tensor<3x3x3xf64, #Turned>
  return
}
