// scf.if, scf.for with carried values, scf.while, nested calls.
module {
  func.func @collatz(%n: index) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %r:2 = scf.while (%x = %n, %k = %c0) : (index, index) -> (index, index) {
      %more = arith.cmpi ne, %x, %c1 : index
      scf.condition(%more) %x, %k : index, index
    } do {
      ^bb0(%x: index, %k: index):
        %rem = arith.remui %x, %c2 : index
        %even = arith.cmpi eq, %rem, %c0 : index
        %y = scf.if %even -> (index) {
          %h = arith.divui %x, %c2 : index
          scf.yield %h : index
        } else {
          %t = arith.muli %x, %c3 : index
          %u = arith.addi %t, %c1 : index
          scf.yield %u : index
        }
        %k1 = arith.addi %k, %c1 : index
        scf.yield %y, %k1 : index, index
    }
    return %r#1 : index
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %f0 = arith.constant 0.0 : f64
    %f1 = arith.constant 0.5 : f64
    scf.for %i = %c1 to %c8 step %c1 {
      %k = func.call @collatz(%i) : (index) -> index
      vector.print %k : index
    }
    %s:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %f0, %b = %f1) -> (f64, f64) {
      %n = arith.addf %a, %b : f64
      scf.yield %b, %n : f64, f64
    }
    vector.print %s#0 : f64
    vector.print %s#1 : f64
    %big = arith.cmpf ogt, %s#1, %s#0 : f64
    scf.if %big {
      vector.print str "grows\n"
    }
    return
  }
}
