// Attributes that change nothing, wherever MLIR takes them; a type may end in a comma.
module attributes {foo.x = 3} {
  func.func @first(%a: tensor<4xf64, > {llvm.noalias, foo.bar = 1}, %i: index, %c: i32 {llvm.noundef})
      -> (f64 {foo.bar = 1}) attributes {foo = 3, llvm.emit_c_interface} {
    %v = tensor.extract %a[%i] : tensor<4xf64>
    return %v : f64
  }
  func.func @main() {
    %value = arith.constant {foo.bar = 1} 2.5 : f64
    %i = arith.constant 3 : index
    %c = arith.constant 0 : i32
    %e = tensor.empty() : tensor<4xf64>
    %t = linalg.fill {doc = "all alike"} ins(%value : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
    %v = func.call @first(%t, %i, %c) : (tensor<4xf64>, index, i32) -> f64
    vector.print %v : f64
    return
  }
}
