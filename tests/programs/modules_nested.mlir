// Each module has a table of symbols of its own: a call finds the function of the innermost.
module @outer {
  module @inner attributes {gpu.container_module} {
    func.func @value() -> f64 {
      %c = arith.constant 1.0 : f64
      return %c : f64
    }
    func.func @again() -> f64 {
      %v = func.call @value() : () -> f64
      return %v : f64
    }
    module {
      func.func private @value() -> i32
    }
  }
  func.func @value() -> f64 {
    %c = arith.constant 2.0 : f64
    return %c : f64
  }
  "builtin.module"() <{sym_name = "generic"}> ({
    func.func @value() -> f64 {
      %c = arith.constant 3.0 : f64
      return %c : f64
    }
    func.func @main() {
      return
    }
  }) : () -> ()
  func.func @main() {
    %v = call @value() : () -> f64
    vector.print %v : f64
    return
  }
}
