// Kernels at computed places: of `%A` a window is cut out, `%B` is copied.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @window(%A: tensor<2001x1000xf64, #CSR>, %x: tensor<1000xf64>) -> tensor<2000xf64> {
  %y = tensor.empty() : tensor<2000xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + 1, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%A, %x : tensor<2001x1000xf64, #CSR>, tensor<1000xf64>) outs(%y : tensor<2000xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %m = arith.mulf %a, %b : f64
      %s = arith.addf %o, %m : f64
      linalg.yield %s : f64
  } -> tensor<2000xf64>
  return %r : tensor<2000xf64>
}

func.func @copy(%B: tensor<2002x1000xf64, #CSR>, %f: tensor<3xf64>) -> tensor<2000x1000xf64> {
  %y = tensor.empty() : tensor<2000x1000xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i + k, j)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%B, %f : tensor<2002x1000xf64, #CSR>, tensor<3xf64>) outs(%y : tensor<2000x1000xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %m = arith.mulf %a, %b : f64
      %s = arith.addf %o, %m : f64
      linalg.yield %s : f64
  } -> tensor<2000x1000xf64>
  return %r : tensor<2000x1000xf64>
}
