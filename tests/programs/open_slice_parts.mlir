// A slice whose type leaves its place open knows it.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#Open = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(?, ?, ?)>, j : #sparse_tensor<slice(?, ?, ?)>) -> (i : dense, j : compressed) }>
func.func @place(%s: tensor<4x4xf64, #Open>) {
  %o = sparse_tensor.slice.offset %s at 1 : tensor<4x4xf64, #Open>
  vector.print %o : index
  %t = sparse_tensor.slice.stride %s at 1 : tensor<4x4xf64, #Open>
  vector.print %t : index
  %p = sparse_tensor.slice.offset %s at 0 : tensor<4x4xf64, #Open>
  vector.print %p : index
  return
}
func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = arith.constant dense<1.0> : tensor<8x8xf64>
  %A = sparse_tensor.convert %d : tensor<8x8xf64> to tensor<8x8xf64, #CSR>
  %s = tensor.extract_slice %A[%c2, %c1][4, 4][%c1, %c2] : tensor<8x8xf64, #CSR> to tensor<4x4xf64, #Open>
  call @place(%s) : (tensor<4x4xf64, #Open>) -> ()
  %r = tensor.extract_slice %A[%c1, %c2][4, 4][%c2, %c1] : tensor<8x8xf64, #CSR> to tensor<4x4xf64, #Open>
  call @place(%r) : (tensor<4x4xf64, #Open>) -> ()
  return
}
