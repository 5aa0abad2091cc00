// differs: MLIR 22 cannot compile a minimum of what `select` leaves
// An entry of `b` that is nowhere counts as zero in a minimum, behind `sparse_tensor.select` too.
#S = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#at = affine_map<(i) -> (i)>

func.func @main() {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f64
  %x = arith.constant dense<[3.0, 0.0, 3.0, -2.0]> : tensor<4xf64>
  %a = sparse_tensor.convert %x : tensor<4xf64> to tensor<4xf64, #S>
  %y = arith.constant dense<[0.0, 1.0, 2.0, 0.0]> : tensor<4xf64>
  %b = sparse_tensor.convert %y : tensor<4xf64> to tensor<4xf64, #S>
  %empty = tensor.empty() : tensor<4xf64>
  %least = linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<4xf64, #S>, tensor<4xf64, #S>) outs(%empty : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %kept = sparse_tensor.select %q : f64 {
        ^bb0(%v: f64):
          %large = arith.cmpf ogt, %v, %f0 : f64
          sparse_tensor.yield %large : i1
      }
      %product = arith.mulf %p, %p : f64
      %min = arith.minimumf %product, %kept : f64
      linalg.yield %min : f64
  } -> tensor<4xf64>
  %r = vector.transfer_read %least[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %r : vector<4xf64>
  return
}
