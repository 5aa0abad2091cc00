// A tensor that is inserted into stays as it was where it is used again: after it, in a loop, in a branch.
func.func @show(%t: tensor<3xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %v = vector.transfer_read %t[%c0], %zero : tensor<3xf64>, vector<3xf64>
  vector.print %v : vector<3xf64>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %true = arith.constant true
  %t = tensor.splat %one : tensor<3xf64>
  %a = tensor.insert %two into %t[%c0] : tensor<3xf64>
  %b = tensor.insert %two into %t[%c1] : tensor<3xf64>
  func.call @show(%a) : (tensor<3xf64>) -> ()
  func.call @show(%b) : (tensor<3xf64>) -> ()
  scf.for %i = %c0 to %c3 step %c1 {
    %new = tensor.insert %two into %t[%i] : tensor<3xf64>
    func.call @show(%new) : (tensor<3xf64>) -> ()
  }
  %chosen = scf.if %true -> tensor<3xf64> {
    %changed = tensor.insert %two into %a[%c1] : tensor<3xf64>
    scf.yield %changed : tensor<3xf64>
  } else {
    scf.yield %a : tensor<3xf64>
  }
  func.call @show(%chosen) : (tensor<3xf64>) -> ()
  func.call @show(%a) : (tensor<3xf64>) -> ()
  func.call @show(%t) : (tensor<3xf64>) -> ()
  return
}
