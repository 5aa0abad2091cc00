// differs: MLIR multiplies padding and copies with what is not a finite number
// A factor that overflows meets no zero of padding or of a dense copy: a product is absent where a factor is.
#NM = #sparse_tensor.encoding<{ map = (i) -> (i floordiv 4 : dense, i mod 4 : structured[2, 4]) }>
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#id = affine_map<(i) -> (i)>
#elementwise = { indexing_maps = [#id, #id, #id], iterator_types = ["parallel"] }
#shifted = {
  indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f16
  %a = arith.constant dense<[0.0, 1.0, 0.0, 0.0]> : tensor<4xf16>
  %y = arith.constant dense<300.0> : tensor<4xf16>
  %e = tensor.empty() : tensor<4xf16>
  %s = sparse_tensor.convert %a : tensor<4xf16> to tensor<4xf16, #NM>
  %r = linalg.generic #elementwise ins(%s, %y : tensor<4xf16, #NM>, tensor<4xf16>) outs(%e : tensor<4xf16>) {
  ^bb0(%x: f16, %u: f16, %o: f16):
    %p = arith.mulf %u, %u : f16
    %q = arith.mulf %p, %x : f16
    linalg.yield %q : f16
  } -> tensor<4xf16>
  %v = vector.transfer_read %r[%c0], %z : tensor<4xf16>, vector<4xf16>
  vector.print %v : vector<4xf16>

  %t = sparse_tensor.convert %a : tensor<4xf16> to tensor<4xf16, #V>
  %y2 = arith.constant dense<300.0> : tensor<3xf16>
  %o2 = arith.constant dense<0.0> : tensor<2xf16>
  %r2 = linalg.generic #shifted ins(%t, %y2 : tensor<4xf16, #V>, tensor<3xf16>) outs(%o2 : tensor<2xf16>) {
  ^bb0(%x: f16, %u: f16, %o: f16):
    %p = arith.mulf %u, %u : f16
    %q = arith.mulf %p, %x : f16
    %n = arith.addf %o, %q : f16
    linalg.yield %n : f16
  } -> tensor<2xf16>
  %v2 = vector.transfer_read %r2[%c0], %z : tensor<2xf16>, vector<2xf16>
  vector.print %v2 : vector<2xf16>

  // An operand beside itself: nothing is in one alone.
  %inf = arith.constant dense<0x7C00> : tensor<4xf16>
  %r3 = linalg.generic #elementwise ins(%t, %inf : tensor<4xf16, #V>, tensor<4xf16>) outs(%e : tensor<4xf16>) {
  ^bb0(%x: f16, %i: f16, %o: f16):
    %b = sparse_tensor.binary %x, %x : f16, f16 to f16 overlap={} left=identity right={}
    %q = arith.mulf %b, %i : f16
    linalg.yield %q : f16
  } -> tensor<4xf16>
  %v3 = vector.transfer_read %r3[%c0], %z : tensor<4xf16>, vector<4xf16>
  vector.print %v3 : vector<4xf16>
  return
}
