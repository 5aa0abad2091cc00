// MLIR prints the cases of a switch without signs: 4294967294 is -2, and 255 is -1 of eight bits.
func.func @name(%n: i32, %k: i8) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.switch %n : i32, [
    default: ^bb1,
    4294967294: ^bb2(%c1 : i32)
  ]
^bb1:
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  cf.switch %k : i8, [
    default: ^bb2(%c3 : i32),
    255: ^bb2(%c2 : i32)
  ]
^bb2(%r: i32):
  return %r : i32
}
func.func @main() {
  %m = arith.constant -2 : i32
  %o = arith.constant -1 : i8
  %z = arith.constant 0 : i32
  %y = arith.constant 0 : i8
  %a = call @name(%m, %y) : (i32, i8) -> i32
  %b = call @name(%z, %o) : (i32, i8) -> i32
  %c = call @name(%z, %y) : (i32, i8) -> i32
  vector.print %a : i32
  vector.print %b : i32
  vector.print %c : i32
  return
}
