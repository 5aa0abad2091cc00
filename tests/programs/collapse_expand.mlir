// Other shapes of the same entries.
#SparseVector = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#DCSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>

#Tensor3 = #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : compressed, d1 : compressed, d2 : compressed) }>
module {
  func.func @main() {
    %v = arith.constant dense<[1.0, 0.0, 2.0, 3.0, 0.0, 0.0, 0.0, 4.0, 0.0, 5.0, 0.0, 6.0]> : tensor<12xf64>
    %vs = sparse_tensor.convert %v : tensor<12xf64> to tensor<12xf64, #SparseVector>
    %m = tensor.expand_shape %vs [[0, 1]] output_shape [3, 4]
      : tensor<12xf64, #SparseVector> into tensor<3x4xf64, #DCSR>
    sparse_tensor.print %m : tensor<3x4xf64, #DCSR>
    %t = tensor.expand_shape %m [[0], [1, 2]] output_shape [3, 2, 2]
      : tensor<3x4xf64, #DCSR> into tensor<3x2x2xf64, #Tensor3>
    sparse_tensor.print %t : tensor<3x2x2xf64, #Tensor3>
    %f = tensor.collapse_shape %t [[0, 1, 2]] : tensor<3x2x2xf64, #Tensor3> into tensor<12xf64, #SparseVector>
    sparse_tensor.print %f : tensor<12xf64, #SparseVector>
    return
  }
}
