// env: TENSOR0=data/small.mtx TENSOR1=data/pattern.mtx
// Matrices from files.
!Filename = !llvm.ptr
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#DCSC = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : compressed, d0 : compressed) }>
module {
  func.func private @getTensorFilename(index) -> (!Filename)
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f0 = call @getTensorFilename(%c0) : (index) -> (!Filename)
    %f1 = call @getTensorFilename(%c1) : (index) -> (!Filename)
    %a = sparse_tensor.new %f0 : !Filename to tensor<?x?xf64, #CSR>
    %b = sparse_tensor.new %f0 : !Filename to tensor<4x5xf64, #DCSC>
    %p = sparse_tensor.new %f1 : !Filename to tensor<?x?xf64, #CSR>
    sparse_tensor.print %a : tensor<?x?xf64, #CSR>
    sparse_tensor.print %b : tensor<4x5xf64, #DCSC>
    sparse_tensor.print %p : tensor<?x?xf64, #CSR>
    %d = tensor.dim %a, %c1 : tensor<?x?xf64, #CSR>
    vector.print %d : index
    return
  }
}
