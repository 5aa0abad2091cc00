// How many regions an operation has.
func.func @none(%a: f64) {
  // expected-error@+1 {{`arith.addf` has no regions, and 1 is given}}
  %r = "arith.addf"(%a, %a) ({}) : (f64, f64) -> f64
  return
}
func.func @empty(%a: f64) {
  // expected-error@+1 {{expected `{`, found `)`}}
  %r = "arith.addf"(%a, %a) () : (f64, f64) -> f64
  return
}
func.func @two(%n: index) {
  // expected-error@+1 {{`tensor.generate` has 1 region, and 2 are given}}
  %r = "tensor.generate"(%n) ({^bb0(%i: index): "tensor.yield"(%i) : (index) -> ()}, {}) : (index) -> tensor<?xindex>
  return
}
func.func @one(%c: i1) {
  // expected-error@+1 {{`scf.if` has 2 regions, and 1 is given}}
  "scf.if"(%c) ({ "scf.yield"() : () -> () }) : (i1) -> ()
  return
}
// expected-error@+1 {{`func.func` does not begin an alias, a module or a function}}
func.func , @comma() {
  return
}
"func.func"() <{function_type = (tensor<8xf32>) -> (), sym_name = "other"}> ({
// expected-error@+1 {{`@other` takes `tensor<8xf32>` here, and its block `tensor<8xf64>`}}
^bb0(%a: tensor<8xf64>):
  "func.return"() : () -> ()
}) : () -> ()
