// Regions of several blocks: branches lead to blocks that are there, and hand on what they take.
func.func @labels(%c: i1, %x: f64) {
  // expected-error@+1 {{there is no block `^en` to branch to}}
  cf.cond_br %c, ^end, ^en
^end:
  return
}

func.func @arguments(%c: i1, %x: f64, %n: index) {
  // expected-error@+1 {{`^one` takes 1 value, not 2}}
  cf.cond_br %c, ^one(%x, %x : f64, f64), ^two(%x : f64)
^one(%a: f64):
  // expected-error@+1 {{`^two` takes `f64` here, not `index`}}
  cf.br ^two(%n : index)
^two(%b: f64):
  return
}

func.func @condition(%x: f64) {
  // expected-error@+1 {{`%x` is `f64`, not `i1`}}
  cf.cond_br %x, ^end, ^end
^end:
  return
}

func.func @ends(%c: i1) {
  cf.cond_br %c, ^one, ^two
^one:
  // expected-error@+1 {{a block ends with a branch or a return, and this is its last operation}}
  %x = arith.constant 1.0 : f64
// expected-error@+1 {{`^two` holds no operations}}
^two:
}

func.func @order(%c: i1) -> f64 {
  cf.cond_br %c, ^one, ^two
^one:
  %x = arith.constant 1.0 : f64
  cf.br ^two
^two:
  // expected-error@+1 {{there is a way to this block on which the value is not computed}}
  return %x : f64
}

func.func @twice(%c: i1) {
  cf.cond_br %c, ^one, ^one
^one:
  return
// expected-error@+1 {{`^one` is defined twice}}
^one:
  return
}

func.func @within(%c: i1) {
  scf.if %c {
    cf.br ^end
  // expected-error@+1 {{the region of `scf.if` has one block}}
  ^end:
    scf.yield
  }
  return
}
