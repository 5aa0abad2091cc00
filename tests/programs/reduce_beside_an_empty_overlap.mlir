// A result with more entries than its old value has: the body is absent only where both operands have an entry.
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
#Vector = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#largest = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}

func.func @main() {
  %ones = arith.constant dense<1.0> : tensor<6x1000xf64>
  %few = arith.constant sparse<[[0, 1], [4, 7]], [2.0, 3.0]> : tensor<6x1000xf64>
  %coo = sparse_tensor.convert %few : tensor<6x1000xf64> to tensor<6x1000xf64, #COO>
  %empty = tensor.empty() : tensor<6xf64, #Vector>
  %least = arith.constant -64.0 : f64
  %found = linalg.generic #largest
      ins(%ones, %coo : tensor<6x1000xf64>, tensor<6x1000xf64, #COO>) outs(%empty : tensor<6xf64, #Vector>) {
    ^bb0(%a: f64, %b: f64, %x: f64):
      %one = sparse_tensor.binary %a, %b : f64, f64 to f64
        overlap={}
        left=identity
        right={}
      %most = sparse_tensor.reduce %x, %one, %least : f64 {
        ^bb0(%y: f64, %z: f64):
          %m = arith.maximumf %y, %z : f64
          sparse_tensor.yield %m : f64
      }
      linalg.yield %most : f64
  } -> tensor<6xf64, #Vector>
  sparse_tensor.print %found : tensor<6xf64, #Vector>
  return
}
