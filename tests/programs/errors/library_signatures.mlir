// A function of the library that is declared with other types.
func.func private @printNewline() -> f64
func.func @main() {
  // expected-error@+1 {{`@printNewline` of MLIR's library is `() -> ()`, and is declared as `() -> (f64)`}}
  %r = call @printNewline() : () -> f64
  vector.print %r : f64
  return
}
