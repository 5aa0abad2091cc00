// Positions that belong to no segment of a loose level have nothing below them, whatever the arrays hold there.
#L = #sparse_tensor.encoding<{ map = (b, i, j) -> (b : dense, i : loose_compressed(nonunique), j : singleton(soa)), posWidth = 32, crdWidth = 32 }>
#D = #sparse_tensor.encoding<{ map = (b, i, j, k) -> (b : dense, i : loose_compressed, j : dense, k : compressed), posWidth = 32, crdWidth = 32 }>
func.func @main() {
  %v0 = arith.constant 0.0 : f64
  %p = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %i = arith.constant dense<[0, 9, 1]> : tensor<3xi32>
  %j = arith.constant dense<[0, -9, 2]> : tensor<3xi32>
  %v = arith.constant dense<[1.0, 7.0, 2.0]> : tensor<3xf64>
  %a = sparse_tensor.assemble (%p, %i, %j), %v : (tensor<4xi32>, tensor<3xi32>, tensor<3xi32>), tensor<3xf64> to tensor<2x2x3xf64, #L>
  %s = sparse_tensor.foreach in %a init(%v0) : tensor<2x2x3xf64, #L>, f64 -> f64 do { ^bb0(%b: index, %x: index, %y: index, %w: f64, %acc: f64):
    %n = arith.addf %acc, %w : f64
    sparse_tensor.yield %n : f64 }
  vector.print %s : f64

  // Below a dense level, and in a compressed one, whose segments beneath the gap are skipped.
  %q = arith.constant dense<[0, 1, 1, 3, 3, 4, 5]> : tensor<7xi32>
  %k = arith.constant dense<[0, 99, 77, 1, 2]> : tensor<5xi32>
  %u = arith.constant dense<[1.0, 7.0, 8.0, 2.0, 3.0]> : tensor<5xf64>
  %t = sparse_tensor.assemble (%p, %i, %q, %k), %u : (tensor<4xi32>, tensor<3xi32>, tensor<7xi32>, tensor<5xi32>), tensor<5xf64> to tensor<2x2x2x3xf64, #D>
  %r = sparse_tensor.foreach in %t init(%v0) : tensor<2x2x2x3xf64, #D>, f64 -> f64 do { ^bb0(%b: index, %x: index, %y: index, %c: index, %w: f64, %acc: f64):
    %n = arith.addf %acc, %w : f64
    sparse_tensor.yield %n : f64 }
  vector.print %r : f64
  return
}
