// Functions that take as much memory and time as they are told.
func.func @make(%n: index) -> tensor<?x?xf64> {
  %v = arith.constant 1.5 : f64
  %e = tensor.empty(%n, %n) : tensor<?x?xf64>
  %f = linalg.fill ins(%v : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %f : tensor<?x?xf64>
}

func.func @square(%A: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %A, %c0 : tensor<?x?xf64>
  %e = tensor.empty(%n, %n) : tensor<?x?xf64>
  vector.print %n : index
  %C = linalg.matmul ins(%A, %A : tensor<?x?xf64>, tensor<?x?xf64>) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %C : tensor<?x?xf64>
}

func.func @main() {
  %n = arith.constant 3000 : index
  %A = func.call @make(%n) : (index) -> tensor<?x?xf64>
  %C = func.call @square(%A) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return
}
