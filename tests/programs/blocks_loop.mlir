// A loop of blocks: the carried values are arguments.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f64
  cf.br ^head(%c0, %one : index, f64)
^head(%i: index, %x: f64):
  %more = arith.cmpi slt, %i, %c5 : index
  cf.cond_br %more, ^body, ^end(%x : f64)
^body:
  vector.print %x : f64
  %twice = arith.addf %x, %x : f64
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %twice : index, f64)
^end(%last: f64):
  vector.print %last : f64
  return
}
