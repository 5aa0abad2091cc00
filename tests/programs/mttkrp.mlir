// Matricized tensor times Khatri-Rao product.
#CSF = #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : compressed, d1 : compressed, d2 : compressed) }>

#mttkrp = {
  indexing_maps = [
    affine_map<(i,j,k,l) -> (i,k,l)>, affine_map<(i,j,k,l) -> (k,j)>, affine_map<(i,j,k,l) -> (l,j)>, affine_map<(i,j,k,l) -> (i,j)>
  ],
  iterator_types = ["parallel", "parallel", "reduction", "reduction"],
  doc = "A(i,j) += B(i,k,l) * D(l,j) * C(k,j)"
}
module {
  func.func @mttkrp(%b: tensor<2x3x4xf64, #CSF>, %c: tensor<3x5xf64>, %d: tensor<4x5xf64>, %a: tensor<2x5xf64>) -> tensor<2x5xf64> {
    %0 = linalg.generic #mttkrp
      ins(%b, %c, %d : tensor<2x3x4xf64, #CSF>, tensor<3x5xf64>, tensor<4x5xf64>) outs(%a : tensor<2x5xf64>) {
      ^bb0(%pb: f64, %pc: f64, %pd: f64, %pa: f64):
        %1 = arith.mulf %pb, %pc : f64
        %2 = arith.mulf %pd, %1 : f64
        %3 = arith.addf %pa, %2 : f64
        linalg.yield %3 : f64
    } -> tensor<2x5xf64>
    return %0 : tensor<2x5xf64>
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f64
    %b = arith.constant sparse<[[0,0,0], [0,2,1], [1,0,3], [1,1,2]], [1.0, 2.0, 3.0, 4.0]> : tensor<2x3x4xf64>
    %bs = sparse_tensor.convert %b : tensor<2x3x4xf64> to tensor<2x3x4xf64, #CSF>
    %c = tensor.generate {
      ^bb0(%i: index, %j: index):
        %s = arith.addi %i, %j : index
        %t = arith.index_cast %s : index to i64
        %u = arith.sitofp %t : i64 to f64
        tensor.yield %u : f64
    } : tensor<3x5xf64>
    %d = tensor.generate {
      ^bb0(%i: index, %j: index):
        %s = arith.muli %i, %j : index
        %t = arith.index_cast %s : index to i64
        %u = arith.sitofp %t : i64 to f64
        tensor.yield %u : f64
    } : tensor<4x5xf64>
    %z = arith.constant dense<0.0> : tensor<2x5xf64>
    %0 = call @mttkrp(%bs, %c, %d, %z) : (tensor<2x3x4xf64, #CSF>, tensor<3x5xf64>, tensor<4x5xf64>, tensor<2x5xf64>) -> tensor<2x5xf64>
    %v = vector.transfer_read %0[%c0, %c0], %f0 : tensor<2x5xf64>, vector<2x5xf64>
    vector.print %v : vector<2x5xf64>
    return
  }
}
