// differs: MLIR 22 reorders the loops of a sum
// Rounded sums are added up in the order of the loops, unless an operand is stored in another one.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @main() {
  %x = arith.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf64>
  %c = arith.constant dense<[[1.0, 1.0e16], [-1.0e16, 1.0]]> : tensor<2x2xf64>
  %e = tensor.empty() : tensor<1xf64, #V>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%x, %c : tensor<3xf64>, tensor<2x2xf64>) outs(%e : tensor<1xf64, #V>) {
  ^bb0(%b: f64, %a: f64, %o: f64):
    %s = arith.addf %o, %a : f64
    linalg.yield %s : f64
  } -> tensor<1xf64, #V>
  sparse_tensor.print %r : tensor<1xf64, #V>
  %z = arith.constant dense<0.0> : tensor<1xf64>
  %w = arith.constant dense<[[1.0, 1.0e16], [-1.0e16, 1.0]]> : tensor<2x2xf64>
  %turned = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%w : tensor<2x2xf64>) outs(%z : tensor<1xf64>) {
  ^bb0(%a: f64, %o: f64):
    %s = arith.addf %o, %a : f64
    linalg.yield %s : f64
  } -> tensor<1xf64>
  %c0 = arith.constant 0 : index
  %t = tensor.extract %turned[%c0] : tensor<1xf64>
  vector.print %t : f64
  // An operand with an encoding, and a loop that it lacks outside its own.
  %f = sparse_tensor.convert %x : tensor<3xf64> to tensor<3xf64, #V>
  %g = arith.constant dense<[1.0e16, -1.0e16]> : tensor<2xf64>
  %outside = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%f, %g : tensor<3xf64, #V>, tensor<2xf64>) outs(%z : tensor<1xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<1xf64>
  %u = tensor.extract %outside[%c0] : tensor<1xf64>
  vector.print %u : f64
  // A term that is a sum is one value.
  %y = arith.constant dense<[1.0e16, 1.0]> : tensor<2xf64>
  %h = sparse_tensor.convert %y : tensor<2xf64> to tensor<2xf64, #V>
  %v = arith.constant dense<[-1.0e16, 3.0]> : tensor<2xf64>
  %one = arith.constant dense<1.0> : tensor<1xf64>
  %bracket = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%h, %v : tensor<2xf64, #V>, tensor<2xf64>) outs(%one : tensor<1xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %p = arith.addf %a, %b : f64
    %s = arith.subf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<1xf64>
  %q = tensor.extract %bracket[%c0] : tensor<1xf64>
  vector.print %q : f64
  return
}
