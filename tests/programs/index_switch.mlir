// `scf.index_switch`: with results, without, and where no case is the value.
func.func @of(%i: index) -> i64 {
  %r = scf.index_switch %i -> i64
  case 2 {
    %two = arith.constant 10 : i64
    scf.yield %two : i64
  }
  case 5 {
    %five = arith.constant 20 : i64
    scf.yield %five : i64
  }
  default {
    %other = arith.constant 30 : i64
    scf.yield %other : i64
  }
  return %r : i64
}

func.func @both(%i: index, %a: i32, %b: i32) -> (i32, i32) {
  %r:2 = scf.index_switch %i -> i32, i32
  case 3 {
    scf.yield %a, %b : i32, i32
  }
  default {
    scf.yield %b, %b : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @main() {
  %c3 = arith.constant 3 : index
  %a = arith.constant 5 : i32
  %b = arith.constant 6 : i32
  %both:2 = func.call @both(%c3, %a, %b) : (index, i32, i32) -> (i32, i32)
  vector.print %both#0 : i32
  vector.print %both#1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %r = func.call @of(%i) : (index) -> i64
    vector.print %r : i64
    scf.index_switch %i
    case 3 {
      vector.print str "three\n"
      scf.yield
    }
    default {
    }
  }
  return
}
