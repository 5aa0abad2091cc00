// A brace that is missing, or one too many, is told once, where it belongs: nothing follows from it.
#S = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#id = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }

func.func @two_at_the_end_of_a_region(%c: index, %t: i1) {
  scf.if %t {
    vector.print %c : index
  // expected-error@+1 {{one `}` too many ends the function in front of its last operations}}
  }}
  vector.print %c : index
  return
}
func.func @two_in_a_loop(%c: index, %t: i1) {
  scf.for %i = %c to %c step %c {
    scf.if %t {
      vector.print %c : index
    // expected-error@+1 {{one `}` too many ends the function in front of its last operations}}
    }}
    vector.print %c : index
  }
  return
}
func.func @two_in_front_of_else(%t: i1, %a: f64, %b: f64) -> f64 {
  %r = scf.if %t -> (f64) {
    scf.yield %a : f64
  // expected-error@+1 {{one `}` too many ends the function in front of its last operations}}
  }} else {
    scf.yield %b : f64
  }
  return %r : f64
}
func.func @loop(%c: index, %a: f64) -> f64 {
  %r = scf.for %k = %c to %c step %c iter_args(%s = %a) -> (f64) {
    %n = arith.addf %s, %a : f64
    // expected-error@+1 {{this region is not closed: `}` is missing}}
    scf.yield %n : f64
  %m = arith.addf %r, %a : f64
  return %m : f64
}
func.func @choice(%c: index, %t: i1) {
  scf.if %t {
    // expected-error@+1 {{this region is not closed: `}` is missing}}
    vector.print %c : index
  vector.print %c : index
  return
}
func.func @inner(%c: index, %t: i1) {
  scf.for %i = %c to %c step %c {
    scf.if %t {
      // expected-error@+1 {{this region is not closed: `}` is missing}}
      vector.print %i : index
    vector.print %i : index
  }
  return
}
func.func @present(%a: tensor<4xf64, #S>, %b: tensor<4xf64, #S>) -> tensor<4xf64, #S> {
  %r = linalg.generic #id ins(%b : tensor<4xf64, #S>) outs(%a : tensor<4xf64, #S>) {
  ^bb0(%x: f64, %o: f64):
    %u = sparse_tensor.unary %x : f64 to f64
      present={
        ^bb0(%v: f64):
          // expected-error@+1 {{this region is not closed: `}` is missing}}
          sparse_tensor.yield %v : f64
      absent={}
    linalg.yield %u : f64
  } -> tensor<4xf64, #S>
  return %r : tensor<4xf64, #S>
}
func.func @kernel(%a: tensor<4xf64>, %b: tensor<4xf64, #S>) -> tensor<4xf64> {
  %r = linalg.generic #id ins(%b : tensor<4xf64, #S>) outs(%a : tensor<4xf64>) {
  ^bb0(%x: f64, %o: f64):
    // expected-error@+1 {{this region is not closed: `}` is missing}}
    linalg.yield %x : f64
  return %r : tensor<4xf64>
}
func.func @entries(%A: tensor<4xf64, #S>, %z: f64) -> f64 {
  %s = sparse_tensor.foreach in %A init(%z) : tensor<4xf64, #S>, f64 -> f64 do {
  ^bb0(%i: index, %v: f64, %acc: f64):
    %n = arith.addf %v, %acc : f64
    // expected-error@+1 {{this region is not closed: `}` is missing}}
    sparse_tensor.yield %n : f64
  return %s : f64
}
func.func @returned(%c: index, %t: i1) {
  scf.if %t {
    // expected-error@+1 {{a region of `scf.if` ends with `scf.yield`, not with `return`}}
    return
  }
  return
}
