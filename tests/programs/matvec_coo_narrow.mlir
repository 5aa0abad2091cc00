// A list of coordinates with numbers of 32 bits.
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton), posWidth = 32, crdWidth = 32 }>
#matvec = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"],
  doc = "y(i) += A(i, j) * x(j)"
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %dense = arith.constant dense<[[0.0, 0.0, 1.0, 0.0, 2.0], [0.0, 3.0, 0.0, 4.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0], [5.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x5xf32>
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %y = arith.constant dense<1.0> : tensor<4xf32>
  %a = sparse_tensor.convert %dense : tensor<4x5xf32> to tensor<4x5xf32, #A>
  %r = linalg.generic #matvec ins(%a, %x : tensor<4x5xf32, #A>, tensor<5xf32>) outs(%y : tensor<4xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %m = arith.mulf %p, %q : f32
      %n = arith.addf %s, %m : f32
      linalg.yield %n : f32
  } -> tensor<4xf32>
  %v = vector.transfer_read %r[%c0], %zero : tensor<4xf32>, vector<4xf32>
  vector.print %v : vector<4xf32>
  return
}
