// `structured[n, m]` of a whole dimension keeps n entries of it; a dimension above may be blocked, too.
#Rows = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : structured[2, 4]) }>
#Tiles = #sparse_tensor.encoding<{
  map = (i, j) -> (i floordiv 4 : dense, i mod 4 : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])
}>
#A = affine_map<(i, j) -> (i, j)>
#X = affine_map<(i, j) -> (j)>
#Y = affine_map<(i, j) -> (i)>

func.func @product(%a: tensor<2x6xf64, #Rows>, %x: tensor<6xf64>, %y: tensor<2xf64>) -> tensor<2xf64> {
  %r = linalg.generic {indexing_maps = [#A, #X, #Y], iterator_types = ["parallel", "reduction"]}
      ins(%a, %x : tensor<2x6xf64, #Rows>, tensor<6xf64>) outs(%y : tensor<2xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %m = arith.mulf %p, %q : f64
      %s = arith.addf %o, %m : f64
      linalg.yield %s : f64
  } -> tensor<2xf64>
  return %r : tensor<2xf64>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f64
  %x = arith.constant dense<[[0., 1., 0., 0., 0., 2.], [3., 0., 0., 4., 0., 0.]]> : tensor<2x6xf64>
  %rows = sparse_tensor.convert %x : tensor<2x6xf64> to tensor<2x6xf64, #Rows>
  sparse_tensor.print %rows : tensor<2x6xf64, #Rows>
  %d = sparse_tensor.convert %rows : tensor<2x6xf64, #Rows> to tensor<2x6xf64>
  %v = vector.transfer_read %d[%c0, %c0], %f0 : tensor<2x6xf64>, vector<2x6xf64>
  vector.print %v : vector<2x6xf64>

  %ramp = arith.constant dense<[1., 2., 3., 4., 5., 6.]> : tensor<6xf64>
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  %y = call @product(%rows, %ramp, %zero) : (tensor<2x6xf64, #Rows>, tensor<6xf64>, tensor<2xf64>) -> tensor<2xf64>
  %w = vector.transfer_read %y[%c0], %f0 : tensor<2xf64>, vector<2xf64>
  vector.print %w : vector<2xf64>

  %z = arith.constant dense<[[1., 0., 2., 0.], [0., 3., 0., 4.], [5., 6., 0., 0.], [0., 7., 8., 0.]]> : tensor<4x4xf64>
  %tiles = sparse_tensor.convert %z : tensor<4x4xf64> to tensor<4x4xf64, #Tiles>
  sparse_tensor.print %tiles : tensor<4x4xf64, #Tiles>
  %t = sparse_tensor.convert %tiles : tensor<4x4xf64, #Tiles> to tensor<4x4xf64>
  %u = vector.transfer_read %t[%c0, %c0], %f0 : tensor<4x4xf64>, vector<4x4xf64>
  vector.print %u : vector<4x4xf64>
  return
}
