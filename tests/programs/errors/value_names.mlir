// A value's name is digits alone or begins with a letter: MLIR reads `%1_` as `%1` and `_`.
// expected-error@+1 {{`%0a` begins with a digit and is not digits alone}}
func.func @wrong(%0a: index) {
  // expected-error@+1 {{`%1_` begins with a digit and is not digits alone}}
  %1_ = arith.constant 0 : index
  // expected-error@+1 {{`%2.x` begins with a digit and is not digits alone}}
  %2.x:2 = scf.execute_region -> (index, index) {
    scf.yield %0a, %1_ : index, index
  }
  vector.print %2.x#1 : index
  return
}
func.func @right(%0: index, %_1: index, %$2: index, %a.1-b: index) {
  vector.print %a.1-b : index
  return
}
