// A switch over numbers, and a function that returns early.
func.func @name(%n: i32) -> i32 {
  %a = arith.constant 10 : i32
  %b = arith.constant 20 : i32
  cf.switch %n : i32, [
    default: ^other(%n : i32),
    1: ^known(%a : i32),
    -2: ^known(%b : i32)
  ]
^known(%x: i32):
  return %x : i32
^other(%y: i32):
  %z = arith.addi %y, %y : i32
  return %z : i32
}

func.func @main() {
  %one = arith.constant 1 : i32
  %two = arith.constant -2 : i32
  %seven = arith.constant 7 : i32
  %a = call @name(%one) : (i32) -> i32
  %b = call @name(%two) : (i32) -> i32
  %c = call @name(%seven) : (i32) -> i32
  vector.print %a : i32
  vector.print %b : i32
  vector.print %c : i32
  return
}
