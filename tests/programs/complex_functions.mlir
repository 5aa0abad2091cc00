// Functions of complex entries, and their parts.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"],
  doc = "X(i) = OP A(i)"
}
module {
  func.func @cneg(%a: tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xcomplex<f64>, #SV>
    %e = tensor.empty(%d) : tensor<?xcomplex<f64>, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xcomplex<f64>, #SV>) outs(%e : tensor<?xcomplex<f64>, #SV>) {
      ^bb0(%x: complex<f64>, %o: complex<f64>):
        %1 = complex.neg %x : complex<f64>
        linalg.yield %1 : complex<f64>
    } -> tensor<?xcomplex<f64>, #SV>
    return %0 : tensor<?xcomplex<f64>, #SV>
  }
  func.func @csin(%a: tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xcomplex<f64>, #SV>
    %e = tensor.empty(%d) : tensor<?xcomplex<f64>, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xcomplex<f64>, #SV>) outs(%e : tensor<?xcomplex<f64>, #SV>) {
      ^bb0(%x: complex<f64>, %o: complex<f64>):
        %1 = complex.sin %x : complex<f64>
        linalg.yield %1 : complex<f64>
    } -> tensor<?xcomplex<f64>, #SV>
    return %0 : tensor<?xcomplex<f64>, #SV>
  }
  func.func @csqrt(%a: tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xcomplex<f64>, #SV>
    %e = tensor.empty(%d) : tensor<?xcomplex<f64>, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xcomplex<f64>, #SV>) outs(%e : tensor<?xcomplex<f64>, #SV>) {
      ^bb0(%x: complex<f64>, %o: complex<f64>):
        %1 = complex.sqrt %x : complex<f64>
        linalg.yield %1 : complex<f64>
    } -> tensor<?xcomplex<f64>, #SV>
    return %0 : tensor<?xcomplex<f64>, #SV>
  }
  func.func @ctanh(%a: tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xcomplex<f64>, #SV>
    %e = tensor.empty(%d) : tensor<?xcomplex<f64>, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xcomplex<f64>, #SV>) outs(%e : tensor<?xcomplex<f64>, #SV>) {
      ^bb0(%x: complex<f64>, %o: complex<f64>):
        %1 = complex.tanh %x : complex<f64>
        linalg.yield %1 : complex<f64>
    } -> tensor<?xcomplex<f64>, #SV>
    return %0 : tensor<?xcomplex<f64>, #SV>
  }
  func.func @clog1p(%a: tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xcomplex<f64>, #SV>
    %e = tensor.empty(%d) : tensor<?xcomplex<f64>, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xcomplex<f64>, #SV>) outs(%e : tensor<?xcomplex<f64>, #SV>) {
      ^bb0(%x: complex<f64>, %o: complex<f64>):
        %1 = complex.log1p %x : complex<f64>
        linalg.yield %1 : complex<f64>
    } -> tensor<?xcomplex<f64>, #SV>
    return %0 : tensor<?xcomplex<f64>, #SV>
  }
  func.func @cexpm1(%a: tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xcomplex<f64>, #SV>
    %e = tensor.empty(%d) : tensor<?xcomplex<f64>, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xcomplex<f64>, #SV>) outs(%e : tensor<?xcomplex<f64>, #SV>) {
      ^bb0(%x: complex<f64>, %o: complex<f64>):
        %1 = complex.expm1 %x : complex<f64>
        linalg.yield %1 : complex<f64>
    } -> tensor<?xcomplex<f64>, #SV>
    return %0 : tensor<?xcomplex<f64>, #SV>
  }
  func.func @cabs(%a: tensor<?xcomplex<f64>, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xcomplex<f64>, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xcomplex<f64>, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: complex<f64>, %o: f64):
        %1 = complex.abs %x : complex<f64>
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @cre(%a: tensor<?xcomplex<f64>, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xcomplex<f64>, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xcomplex<f64>, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: complex<f64>, %o: f64):
        %1 = complex.re %x : complex<f64>
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @cim(%a: tensor<?xcomplex<f64>, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xcomplex<f64>, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xcomplex<f64>, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: complex<f64>, %o: f64):
        %1 = complex.im %x : complex<f64>
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @cdiv(%a: tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xcomplex<f64>, #SV>
    %e = tensor.empty(%d) : tensor<?xcomplex<f64>, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xcomplex<f64>, #SV>) outs(%e : tensor<?xcomplex<f64>, #SV>) {
      ^bb0(%x: complex<f64>, %o: complex<f64>):
        %c = complex.constant [2.0, 1.0] : complex<f64>
        %1 = complex.div %x, %c : complex<f64>
        linalg.yield %1 : complex<f64>
    } -> tensor<?xcomplex<f64>, #SV>
    return %0 : tensor<?xcomplex<f64>, #SV>
  }
  func.func @main() {
    %a = arith.constant sparse<[[0], [4], [9]], [(1.0, 2.0), (-0.5, 0.25), (3.0, 0.0)]> : tensor<12xcomplex<f64>>
    %as = sparse_tensor.convert %a : tensor<12xcomplex<f64>> to tensor<?xcomplex<f64>, #SV>
    %r_cneg = call @cneg(%as) : (tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV>
    sparse_tensor.print %r_cneg : tensor<?xcomplex<f64>, #SV>
    %r_csin = call @csin(%as) : (tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV>
    sparse_tensor.print %r_csin : tensor<?xcomplex<f64>, #SV>
    %r_csqrt = call @csqrt(%as) : (tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV>
    sparse_tensor.print %r_csqrt : tensor<?xcomplex<f64>, #SV>
    %r_ctanh = call @ctanh(%as) : (tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV>
    sparse_tensor.print %r_ctanh : tensor<?xcomplex<f64>, #SV>
    %r_clog1p = call @clog1p(%as) : (tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV>
    sparse_tensor.print %r_clog1p : tensor<?xcomplex<f64>, #SV>
    %r_cexpm1 = call @cexpm1(%as) : (tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV>
    sparse_tensor.print %r_cexpm1 : tensor<?xcomplex<f64>, #SV>
    %r_cdiv = call @cdiv(%as) : (tensor<?xcomplex<f64>, #SV>) -> tensor<?xcomplex<f64>, #SV>
    sparse_tensor.print %r_cdiv : tensor<?xcomplex<f64>, #SV>
    %r_cabs = call @cabs(%as) : (tensor<?xcomplex<f64>, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_cabs : tensor<?xf64, #SV>
    %r_cre = call @cre(%as) : (tensor<?xcomplex<f64>, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_cre : tensor<?xf64, #SV>
    %r_cim = call @cim(%as) : (tensor<?xcomplex<f64>, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_cim : tensor<?xf64, #SV>
    return
  }
}
