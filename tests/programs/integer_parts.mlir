// Sums and products that lose no bits, in two parts; in a kernel too.
#at = affine_map<(i) -> (i)>

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %a = arith.constant 200 : i8
  %b = arith.constant 100 : i8
  %sum, %carry = arith.addui_extended %a, %b : i8, i1
  vector.print %sum : i8
  vector.print %carry : i1
  %none, %no = arith.addui_extended %b, %b : i8, i1
  vector.print %none : i8
  vector.print %no : i1
  %low, %high = arith.mulsi_extended %a, %b : i8
  vector.print %low : i8
  vector.print %high : i8
  %ulow, %uhigh = arith.mului_extended %a, %b : i8
  vector.print %ulow : i8
  vector.print %uhigh : i8
  %w = arith.constant -3 : i64
  %x = arith.constant -5 : i64
  %wlow, %whigh = arith.mului_extended %w, %x : i64
  vector.print %wlow : i64
  vector.print %whigh : i64
  %slow, %shigh = arith.mulsi_extended %w, %x : i64
  vector.print %slow : i64
  vector.print %shigh : i64
  %v = arith.constant dense<[100, -128, 3]> : tensor<3xi8>
  %e = tensor.empty() : tensor<3xi8>
  %t = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
      ins(%v : tensor<3xi8>) outs(%e : tensor<3xi8>) {
    ^bb0(%p: i8, %o: i8):
      %l, %h = arith.mulsi_extended %p, %p : i8
      linalg.yield %h : i8
  } -> tensor<3xi8>
  %r = vector.transfer_read %t[%c0], %zero : tensor<3xi8>, vector<3xi8>
  vector.print %r : vector<3xi8>
  return
}
