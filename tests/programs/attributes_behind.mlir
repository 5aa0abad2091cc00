// Attributes behind operations whose custom syntax ends with them.
func.func @main() {
  %t = arith.constant true
  %n = arith.constant 3 : i32
  cf.assert %t, "never" {a.b = 1}
  vector.print %n : i32 {a.b = 1}
  vector.print str "text" {a.b = 1}
  vector.print punctuation <comma> {a.b = 1}
  vector.print {a.b = 1}
  %r = scf.execute_region -> i32 no_inline {
    scf.yield %n : i32
  } {a.b = 1}
  vector.print %r : i32
  return
}
