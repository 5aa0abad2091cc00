// differs: MLIR 22 writes into a tensor that is used again, where blocks come between
// A tensor that is inserted into stays as it was, also where the program goes on in another block.
func.func @show(%t: tensor<3xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %v = vector.transfer_read %t[%c0], %zero : tensor<3xf64>, vector<3xf64>
  vector.print %v : vector<3xf64>
  return
}

func.func @branches(%t: tensor<3xf64>, %c: i1) -> tensor<3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nine = arith.constant 9.0 : f64
  cf.cond_br %c, ^change, ^keep(%t : tensor<3xf64>)
^change:
  %u = tensor.insert %nine into %t[%c0] : tensor<3xf64>
  call @show(%t) : (tensor<3xf64>) -> ()
  cf.br ^keep(%u : tensor<3xf64>)
^keep(%k: tensor<3xf64>):
  %w = tensor.insert %nine into %k[%c1] : tensor<3xf64>
  return %w : tensor<3xf64>
}

func.func @main() {
  %one = arith.constant 1.0 : f64
  %true = arith.constant true
  %false = arith.constant false
  %t = tensor.splat %one : tensor<3xf64>
  %p = func.call @branches(%t, %true) : (tensor<3xf64>, i1) -> tensor<3xf64>
  func.call @show(%p) : (tensor<3xf64>) -> ()
  %q = func.call @branches(%t, %false) : (tensor<3xf64>, i1) -> tensor<3xf64>
  func.call @show(%q) : (tensor<3xf64>) -> ()
  func.call @show(%t) : (tensor<3xf64>) -> ()
  return
}
