// env: TENSOR0=data/symmetric.mtx
// Of a symmetric file a program reads the triangle that it stores.
!Filename = !llvm.ptr
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
module {
  func.func private @getTensorFilename(index) -> (!Filename)
  func.func @main() {
    %c0 = arith.constant 0 : index
    %f0 = call @getTensorFilename(%c0) : (index) -> (!Filename)
    %a = sparse_tensor.new %f0 : !Filename to tensor<?x?xf64, #CSR>
    sparse_tensor.print %a : tensor<?x?xf64, #CSR>
    return
  }
}
