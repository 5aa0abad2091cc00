// Behind a type that nnz lacks the text is read on, and what is wrong there is told.
func.func @number() {
  // expected-error@+2 {{nnz does not compute with `i321`}}
  // expected-error@+1 {{expected `=`, found `foo`}}
  %c = arith.constant 3 : i321 %undefined foo bar
  return
}

// expected-error@+2 {{nnz does not compute with `i321`}}
// expected-error@+1 {{expected `,` or `)`, found `%b`}}
func.func @parameters(%a: i321 %b: f64) {
  return
}

func.func @call(%a: f64) {
  // expected-error@+2 {{MLIR has no dialect `foo`, of which `#foo.bar` is}}
  // expected-error@+1 {{there is no function `@nosuch`}}
  %b = call @nosuch(%a) : (f64) -> tensor<4xf64, #foo.bar>
  return
}

// expected-error@+1 {{nnz does not compute with `i321`}}
func.func private @elsewhere(i321)
