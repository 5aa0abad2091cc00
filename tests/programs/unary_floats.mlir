// Functions that keep zero, of a sparse vector.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"],
  doc = "X(i) = OP A(i)"
}
module {
  func.func @apply_abs(%a: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf64, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: f64, %o: f64):
        %1 = math.absf %x : f64
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @apply_ceil(%a: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf64, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: f64, %o: f64):
        %1 = math.ceil %x : f64
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @apply_floor(%a: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf64, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: f64, %o: f64):
        %1 = math.floor %x : f64
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @apply_neg(%a: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf64, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: f64, %o: f64):
        %1 = arith.negf %x : f64
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @apply_sqrt(%a: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf64, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: f64, %o: f64):
        %1 = math.sqrt %x : f64
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @apply_expm1(%a: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf64, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: f64, %o: f64):
        %1 = math.expm1 %x : f64
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @apply_log1p(%a: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf64, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: f64, %o: f64):
        %1 = math.log1p %x : f64
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @apply_sin(%a: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf64, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: f64, %o: f64):
        %1 = math.sin %x : f64
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @apply_tanh(%a: tensor<?xf64, #SV>) -> tensor<?xf64, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xf64, #SV>
    %0 = linalg.generic #op ins(%a : tensor<?xf64, #SV>) outs(%e : tensor<?xf64, #SV>) {
      ^bb0(%x: f64, %o: f64):
        %1 = math.tanh %x : f64
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SV>
    return %0 : tensor<?xf64, #SV>
  }
  func.func @main() {
    %a = arith.constant sparse<[[0], [3], [5], [11], [13]], [1.5, 0.25, 10.2, 2.0, 0.75]> : tensor<17xf64>
    %as = sparse_tensor.convert %a : tensor<17xf64> to tensor<?xf64, #SV>
    %r_abs = call @apply_abs(%as) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_abs : tensor<?xf64, #SV>
    %r_ceil = call @apply_ceil(%as) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_ceil : tensor<?xf64, #SV>
    %r_floor = call @apply_floor(%as) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_floor : tensor<?xf64, #SV>
    %r_neg = call @apply_neg(%as) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_neg : tensor<?xf64, #SV>
    %r_sqrt = call @apply_sqrt(%as) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_sqrt : tensor<?xf64, #SV>
    %r_expm1 = call @apply_expm1(%as) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_expm1 : tensor<?xf64, #SV>
    %r_log1p = call @apply_log1p(%as) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_log1p : tensor<?xf64, #SV>
    %r_sin = call @apply_sin(%as) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_sin : tensor<?xf64, #SV>
    %r_tanh = call @apply_tanh(%as) : (tensor<?xf64, #SV>) -> tensor<?xf64, #SV>
    sparse_tensor.print %r_tanh : tensor<?xf64, #SV>
    return
  }
}
