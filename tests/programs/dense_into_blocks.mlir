// differs: MLIR 22 cannot compile results with a batch level, nor in blocks
// Of dense operands alone a result with an encoding keeps what is not zero; batches and blocks store every place.
#Batches = #sparse_tensor.encoding<{ map = (b, i) -> (b : batch, i : dense) }>
#Blocks = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j floordiv 2 : dense, j mod 2 : dense) }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#at = affine_map<(i, j) -> (i, j)>
#unary = { indexing_maps = [#at, #at], iterator_types = ["parallel", "parallel"] }

func.func @main() {
  %x = arith.constant dense<[[0.0, 2.0, -0.0], [0.0, 0.0, 0.0], [1.0, -1.0, 3.0]]> : tensor<3x3xf64>
  %e = tensor.empty() : tensor<3x3xf64, #Batches>
  %b = linalg.add ins(%x, %x : tensor<3x3xf64>, tensor<3x3xf64>) outs(%e : tensor<3x3xf64, #Batches>) -> tensor<3x3xf64, #Batches>
  sparse_tensor.print %b : tensor<3x3xf64, #Batches>
  %f = tensor.empty() : tensor<3x3xf64, #Blocks>
  %k = linalg.generic #unary ins(%x : tensor<3x3xf64>) outs(%f : tensor<3x3xf64, #Blocks>) {
    ^bb0(%p: f64, %o: f64):
      %n = arith.negf %p : f64
      linalg.yield %n : f64
  } -> tensor<3x3xf64, #Blocks>
  sparse_tensor.print %k : tensor<3x3xf64, #Blocks>
  %z = arith.constant dense<[[(0.0, 1.0), (1.0, 1.0)], [(0.0, 0.0), (1.0, -1.0)]]> : tensor<2x2xcomplex<f64>>
  %one = complex.constant [1.0, 1.0] : complex<f64>
  %nil = complex.constant [0.0, 0.0] : complex<f64>
  %g = tensor.empty() : tensor<2x2xcomplex<f64>, #CSR>
  %c = linalg.generic #unary ins(%z : tensor<2x2xcomplex<f64>>) outs(%g : tensor<2x2xcomplex<f64>, #CSR>) {
    ^bb0(%p: complex<f64>, %o: complex<f64>):
      %same = complex.eq %p, %one : complex<f64>
      %some = complex.neq %p, %nil : complex<f64>
      %d = arith.select %same, %nil, %p : complex<f64>
      %h = arith.select %some, %d, %one : complex<f64>
      linalg.yield %h : complex<f64>
  } -> tensor<2x2xcomplex<f64>, #CSR>
  sparse_tensor.print %c : tensor<2x2xcomplex<f64>, #CSR>
  return
}
