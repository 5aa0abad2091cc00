// Blocks within an operation: scf.execute_region.
func.func @half(%n: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    %c1 = arith.constant 1 : i32
    %c0 = arith.constant 0 : i32
    %bit = arith.andi %n, %c1 : i32
    %odd = arith.cmpi ne, %bit, %c0 : i32
    cf.cond_br %odd, ^odd, ^even
  ^odd:
    cf.br ^end(%c0 : i32)
  ^even:
    %h = arith.shrsi %n, %c1 : i32
    cf.br ^end(%h : i32)
  ^end(%x: i32):
    scf.yield %x : i32
  }
  return %r : i32
}

func.func @main() {
  %six = arith.constant 6 : i32
  %seven = arith.constant 7 : i32
  %a = call @half(%six) : (i32) -> i32
  %b = call @half(%seven) : (i32) -> i32
  vector.print %a : i32
  vector.print %b : i32
  return
}
