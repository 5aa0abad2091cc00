// env: TENSOR0=data/small.tns
// A tensor of three dimensions from a file, and its sum.
!Filename = !llvm.ptr
#CSF = #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : compressed, d1 : compressed, d2 : compressed) }>
#T3D = #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : dense, d1 : dense, d2 : compressed) }>

#sum = {
  indexing_maps = [ affine_map<(i,j,k) -> (i,j,k)>, affine_map<(i,j,k) -> ()> ],
  iterator_types = ["reduction", "reduction", "reduction"]
}
module {
  func.func private @getTensorFilename(index) -> (!Filename)
  func.func @sum(%a: tensor<?x?x?xf64, #CSF>) -> f64 {
    %z = arith.constant dense<0.0> : tensor<f64>
    %0 = linalg.generic #sum ins(%a : tensor<?x?x?xf64, #CSF>) outs(%z : tensor<f64>) {
      ^bb0(%x: f64, %s: f64):
        %1 = arith.addf %s, %x : f64
        linalg.yield %1 : f64
    } -> tensor<f64>
    %r = tensor.extract %0[] : tensor<f64>
    return %r : f64
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = call @getTensorFilename(%c0) : (index) -> (!Filename)
    %a = sparse_tensor.new %f0 : !Filename to tensor<?x?x?xf64, #CSF>
    %b = sparse_tensor.new %f0 : !Filename to tensor<?x?x?xf64, #T3D>
    sparse_tensor.print %a : tensor<?x?x?xf64, #CSF>
    sparse_tensor.print %b : tensor<?x?x?xf64, #T3D>
    %s = call @sum(%a) : (tensor<?x?x?xf64, #CSF>) -> f64
    vector.print %s : f64
    return
  }
}
