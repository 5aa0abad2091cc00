// differs: MLIR 22's sparsifier leaves `math.clampf` as it is
// `math.clampf` and `math.erfc`, in a kernel over a sparse operand too: what is absent is clamped as a zero.
#S = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#at = affine_map<(i) -> (i)>

func.func @main() {
  %half = arith.constant 0.5 : f64
  %low = arith.constant -1.0 : f64
  %high = arith.constant 0.25 : f64
  %clamped = math.clampf %half to [%low, %high] : f64
  vector.print %clamped : f64
  %rest = math.erfc %half : f64
  vector.print %rest : f64
  %x = arith.constant dense<[3.0, 0.0, -0.5, -4.0]> : tensor<4xf64>
  %a = sparse_tensor.convert %x : tensor<4xf64> to tensor<4xf64, #S>
  %e = tensor.empty() : tensor<4xf64, #S>
  %t = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
      ins(%a : tensor<4xf64, #S>) outs(%e : tensor<4xf64, #S>) {
    ^bb0(%p: f64, %o: f64):
      %r = math.clampf %p to [%low, %high] : f64
      linalg.yield %r : f64
  } -> tensor<4xf64, #S>
  sparse_tensor.print %t : tensor<4xf64, #S>
  return
}
