// S .* (A * B): only where S stores something.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

#sddmm = {
  indexing_maps = [
    affine_map<(i,j,k) -> (i,j)>, affine_map<(i,j,k) -> (i,k)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>
  ],
  iterator_types = ["parallel", "parallel", "reduction"],
  doc = "X(i,j) += S(i,j) SUM_k A(i,k) B(k,j)"
}
module {
  func.func @sddmm(%s: tensor<?x?xf32, #CSR>, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = linalg.generic #sddmm
      ins(%s, %a, %b : tensor<?x?xf32, #CSR>, tensor<?x?xf32>, tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) {
      ^bb0(%ps: f32, %pa: f32, %pb: f32, %px: f32):
        %1 = arith.mulf %pa, %pb : f32
        %2 = arith.mulf %ps, %1 : f32
        %3 = arith.addf %px, %2 : f32
        linalg.yield %3 : f32
    } -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %s = arith.constant dense<[[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]> : tensor<2x3xf32>
    %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %b = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %x = arith.constant dense<0.0> : tensor<2x3xf32>
    %sd = sparse_tensor.convert %s : tensor<2x3xf32> to tensor<?x?xf32, #CSR>
    %ad = tensor.cast %a : tensor<2x2xf32> to tensor<?x?xf32>
    %bd = tensor.cast %b : tensor<2x3xf32> to tensor<?x?xf32>
    %xd = tensor.cast %x : tensor<2x3xf32> to tensor<?x?xf32>
    %0 = call @sddmm(%sd, %ad, %bd, %xd) : (tensor<?x?xf32, #CSR>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %v = vector.transfer_read %0[%c0, %c0], %f0 : tensor<?x?xf32>, vector<2x3xf32>
    vector.print %v : vector<2x3xf32>
    return
  }
}
