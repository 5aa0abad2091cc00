func.func @main() {
  %n = arith.constant -5 : index
  // expected-error@+1 {{no array has the size -5}}
  %0 = tensor.empty(%n) : tensor<?xf64>
  return
}
