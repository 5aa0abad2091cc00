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

func.func @main() {
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
