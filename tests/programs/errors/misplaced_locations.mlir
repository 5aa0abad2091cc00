// Locations where none stands: the first of each function is told.
func.func @operand(%a: index loc("fine")) {
  // expected-error@+1 {{a location stands at the end of an operation or of an argument}}
  %r = arith.addi %a loc("here"), %a : index loc("fine")
  return loc("fine")
} loc("fine")
func.func @twice(%a: index) {
  // expected-error@+1 {{a location stands at the end of an operation or of an argument}}
  %r = arith.addi %a, %a : index loc("fine") loc("too many")
  return
}
func.func @alone() {
  // expected-error@+1 {{a location stands at the end of an operation or of an argument}}
  loc("of nothing")
  return
}
// expected-error@+1 {{a location stands at the end of an operation or of an argument}}
func.func private @result(index loc("fine")) -> (index loc("of a result"))
// expected-error@+1 {{a location stands at the end of an operation or of an argument}}
func.func loc("of a head") @head() {
  return
}
func.func @branch(%a: index) {
  // expected-error@+1 {{a location stands at the end of an operation or of an argument}}
  cf.br ^bb1(%a : index loc("of a value"))
^bb1(%b: index loc("fine")):
  return
}
func.func @carried(%a: index) {
  %r = scf.for %i = %a to %a step %a iter_args(%b loc("fine") = %a) -> (index) {
    scf.yield %b : index
  }
  scf.parallel (%i loc("fine")) = (%a) to (%a) step (%a) {
  }
  // expected-error@+1 {{a location stands at the end of an operation or of an argument}}
  %s = scf.for %i = %a to %a loc("here") step %a iter_args(%b = %a) -> (index) {
    scf.yield %b : index
  }
  return
}
// expected-error@+1 {{a location stands at the end of an operation or of an argument}}
loc("of the function") loc("between")
module {
} loc("fine")
