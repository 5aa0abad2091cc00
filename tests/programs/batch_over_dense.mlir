// differs: MLIR 22 cannot convert to a batch level over a dense one
// A batch level over a dense one stores every coordinate: the zeros are entries.
#Batches = #sparse_tensor.encoding<{ map = (b, i) -> (b : batch, i : dense) }>
#DCSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>

func.func @main() {
  %x = arith.constant dense<[[0.0, 2.0], [0.0, 0.0]]> : tensor<2x2xf64>
  %batches = sparse_tensor.convert %x : tensor<2x2xf64> to tensor<2x2xf64, #Batches>
  %all = sparse_tensor.convert %batches : tensor<2x2xf64, #Batches> to tensor<2x2xf64, #DCSR>
  sparse_tensor.print %all : tensor<2x2xf64, #DCSR>
  return
}
