// Sums of matrices and of complex and integer tensors.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>
#SparseVector = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

#sum = {
  indexing_maps = [ affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> ()> ],
  iterator_types = ["reduction", "reduction"],
  doc = "x += A(i,j)"
}
#sum1 = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> ()> ],
  iterator_types = ["reduction"]
}
module {
  func.func @sum_f64(%a: tensor<?x?xf64, #CSC>, %x: tensor<f64>) -> tensor<f64> {
    %0 = linalg.generic #sum ins(%a : tensor<?x?xf64, #CSC>) outs(%x : tensor<f64>) {
      ^bb0(%p: f64, %q: f64):
        %1 = arith.addf %q, %p : f64
        linalg.yield %1 : f64
    } -> tensor<f64>
    return %0 : tensor<f64>
  }
  func.func @sum_i8(%a: tensor<9xi8, #SparseVector>, %x: tensor<i8>) -> tensor<i8> {
    %0 = linalg.generic #sum1 ins(%a : tensor<9xi8, #SparseVector>) outs(%x : tensor<i8>) {
      ^bb0(%p: i8, %q: i8):
        %1 = arith.addi %p, %q : i8
        linalg.yield %1 : i8
    } -> tensor<i8>
    return %0 : tensor<i8>
  }
  func.func @sum_c(%a: tensor<4xcomplex<f64>, #SparseVector>, %x: tensor<complex<f64>>) -> tensor<complex<f64>> {
    %0 = linalg.generic #sum1 ins(%a : tensor<4xcomplex<f64>, #SparseVector>) outs(%x : tensor<complex<f64>>) {
      ^bb0(%p: complex<f64>, %q: complex<f64>):
        %1 = complex.add %p, %q : complex<f64>
        linalg.yield %1 : complex<f64>
    } -> tensor<complex<f64>>
    return %0 : tensor<complex<f64>>
  }
  func.func @main() {
    %a = arith.constant dense<[[1.5, 0.0, 2.0], [0.0, 0.0, 4.25]]> : tensor<2x3xf64>
    %as = sparse_tensor.convert %a : tensor<2x3xf64> to tensor<?x?xf64, #CSC>
    %z = arith.constant dense<10.0> : tensor<f64>
    %0 = call @sum_f64(%as, %z) : (tensor<?x?xf64, #CSC>, tensor<f64>) -> tensor<f64>
    %s = tensor.extract %0[] : tensor<f64>
    vector.print %s : f64
    %b = arith.constant sparse<[[0], [4], [8]], [100, 27, 3]> : tensor<9xi8>
    %bs = sparse_tensor.convert %b : tensor<9xi8> to tensor<9xi8, #SparseVector>
    %zi = arith.constant dense<0> : tensor<i8>
    %1 = call @sum_i8(%bs, %zi) : (tensor<9xi8, #SparseVector>, tensor<i8>) -> tensor<i8>
    %t = tensor.extract %1[] : tensor<i8>
    vector.print %t : i8
    %c = arith.constant sparse<[[0], [3]], [(1.0, 2.0), (-3.5, 0.25)]> : tensor<4xcomplex<f64>>
    %cs = sparse_tensor.convert %c : tensor<4xcomplex<f64>> to tensor<4xcomplex<f64>, #SparseVector>
    sparse_tensor.print %cs : tensor<4xcomplex<f64>, #SparseVector>
    %zc = arith.constant dense<(0.0, 0.0)> : tensor<complex<f64>>
    %2 = call @sum_c(%cs, %zc) : (tensor<4xcomplex<f64>, #SparseVector>, tensor<complex<f64>>) -> tensor<complex<f64>>
    %u = tensor.extract %2[] : tensor<complex<f64>>
    %re = complex.re %u : complex<f64>
    %im = complex.im %u : complex<f64>
    vector.print %re : f64
    vector.print %im : f64
    return
  }
}
