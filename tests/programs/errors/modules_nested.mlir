// A call sees the functions of the innermost module around it, and neither those further in nor those further out.
module {
  func.func private @outside() -> f64
  module @a {
    func.func private @inside() -> f64
    func.func @main() {
      // expected-error@+1 {{there is no function `@outside`}}
      %v = call @outside() : () -> f64
      return
    }
  }
  func.func @main() {
    // expected-error@+1 {{there is no function `@inside`}}
    %v = call @inside() : () -> f64
    return
  }
  func.func private @twice()
  // expected-error@+1 {{`@twice` is defined twice}}
  func.func private @twice()
}
