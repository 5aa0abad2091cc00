// differs: MLIR 22 takes one of the entries that share a place
// Entries that share a place all count, beside another operand and alone.
#Nu = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(nonunique)) }>
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#each = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
  iterator_types = ["parallel"]
}

func.func @main() {
  %f0 = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %p = arith.constant dense<[0, 3]> : tensor<2xindex>
  %c = arith.constant dense<[1, 1, 3]> : tensor<3xindex>
  %w = arith.constant dense<[1.0, 2.0, 5.0]> : tensor<3xf64>
  %s = sparse_tensor.assemble (%p, %c), %w : (tensor<2xindex>, tensor<3xindex>), tensor<3xf64> to tensor<4xf64, #Nu>
  %b = arith.constant dense<[0.0, 100.0, 0.0, 200.0]> : tensor<4xf64>
  %t = sparse_tensor.convert %b : tensor<4xf64> to tensor<4xf64, #V>
  %e = tensor.empty() : tensor<4xf64>
  %0 = linalg.generic #each ins(%s, %t : tensor<4xf64, #Nu>, tensor<4xf64, #V>) outs(%e : tensor<4xf64>) {
    ^bb0(%x: f64, %y: f64, %o: f64):
      %m = arith.addf %x, %y : f64
      linalg.yield %m : f64
  } -> tensor<4xf64>
  %v = vector.transfer_read %0[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v : vector<4xf64>
  %1 = linalg.generic #each ins(%s, %t : tensor<4xf64, #Nu>, tensor<4xf64, #V>) outs(%b : tensor<4xf64>) {
    ^bb0(%x: f64, %y: f64, %o: f64):
      %m = arith.mulf %x, %y : f64
      %n = arith.addf %o, %m : f64
      linalg.yield %n : f64
  } -> tensor<4xf64>
  %u = vector.transfer_read %1[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %u : vector<4xf64>
  return
}
