// A zero that a region yields is an entry, and so is a number that is added to what is absent: so is what they are added to.
#S = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#at = affine_map<(i) -> (i)>
#binary = { indexing_maps = [#at, #at, #at], iterator_types = ["parallel"] }

func.func @a_zero_added(%x: tensor<6xf64, #S>, %y: tensor<6xf64, #S>) -> tensor<6xf64, #S> {
  %z = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %e = tensor.empty() : tensor<6xf64, #S>
  %t = linalg.generic #binary ins(%x, %y : tensor<6xf64, #S>, tensor<6xf64, #S>) outs(%e : tensor<6xf64, #S>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %r = arith.addf %a, %z : f64
      linalg.yield %r : f64
  } -> tensor<6xf64, #S>
  return %t : tensor<6xf64, #S>
}

func.func @a_number_added_and_taken_away(%x: tensor<6xf64, #S>, %y: tensor<6xf64, #S>) -> tensor<6xf64, #S> {
  %z = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %e = tensor.empty() : tensor<6xf64, #S>
  %t = linalg.generic #binary ins(%x, %y : tensor<6xf64, #S>, tensor<6xf64, #S>) outs(%e : tensor<6xf64, #S>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %s = arith.addf %a, %one : f64
      %r = arith.subf %s, %one : f64
      linalg.yield %r : f64
  } -> tensor<6xf64, #S>
  return %t : tensor<6xf64, #S>
}

func.func @xor_with_a_zero_of_a_region(%x: tensor<6xi64, #S>, %y: tensor<6xi64, #S>) -> tensor<6xi64, #S> {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = tensor.empty() : tensor<6xi64, #S>
  %t = linalg.generic #binary ins(%x, %y : tensor<6xi64, #S>, tensor<6xi64, #S>) outs(%e : tensor<6xi64, #S>) {
    ^bb0(%a: i64, %b: i64, %o: i64):
      %u = sparse_tensor.unary %b : i64 to i64
        present={ ^bb0(%p: i64): sparse_tensor.yield %p : i64 }
        absent={ sparse_tensor.yield %z : i64 }
      %s = arith.xori %a, %u : i64
      %r = arith.addi %o, %s : i64
      linalg.yield %r : i64
  } -> tensor<6xi64, #S>
  return %t : tensor<6xi64, #S>
}

func.func @or_with_one(%x: tensor<6xi64, #S>, %y: tensor<6xi64, #S>) -> tensor<6xi64, #S> {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = tensor.empty() : tensor<6xi64, #S>
  %t = linalg.generic #binary ins(%x, %y : tensor<6xi64, #S>, tensor<6xi64, #S>) outs(%e : tensor<6xi64, #S>) {
    ^bb0(%a: i64, %b: i64, %o: i64):
      %u = sparse_tensor.unary %b : i64 to i64
        present={ ^bb0(%p: i64): sparse_tensor.yield %p : i64 }
        absent={ sparse_tensor.yield %z : i64 }
      %r = arith.ori %u, %a : i64
      linalg.yield %r : i64
  } -> tensor<6xi64, #S>
  return %t : tensor<6xi64, #S>
}

func.func @a_difference_to_one(%x: tensor<6xi64, #S>, %y: tensor<6xi64, #S>) -> tensor<6xi64, #S> {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = tensor.empty() : tensor<6xi64, #S>
  %t = linalg.generic #binary ins(%x, %y : tensor<6xi64, #S>, tensor<6xi64, #S>) outs(%e : tensor<6xi64, #S>) {
    ^bb0(%a: i64, %b: i64, %o: i64):
      %u = sparse_tensor.unary %b : i64 to i64
        present={ ^bb0(%p: i64): sparse_tensor.yield %p : i64 }
        absent={ sparse_tensor.yield %z : i64 }
      %r = arith.subi %a, %u : i64
      linalg.yield %r : i64
  } -> tensor<6xi64, #S>
  return %t : tensor<6xi64, #S>
}

func.func @twice_one(%x: tensor<6xi64, #S>, %y: tensor<6xi64, #S>) -> tensor<6xi64, #S> {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = tensor.empty() : tensor<6xi64, #S>
  %t = linalg.generic #binary ins(%x, %y : tensor<6xi64, #S>, tensor<6xi64, #S>) outs(%e : tensor<6xi64, #S>) {
    ^bb0(%a: i64, %b: i64, %o: i64):
      %u = sparse_tensor.unary %b : i64 to i64
        present={ ^bb0(%p: i64): sparse_tensor.yield %p : i64 }
        absent={ sparse_tensor.yield %z : i64 }
      %s = arith.addi %u, %u : i64
      %r = arith.addi %a, %s : i64
      linalg.yield %r : i64
  } -> tensor<6xi64, #S>
  return %t : tensor<6xi64, #S>
}

func.func @one_of_present_entries(%x: tensor<6xi64, #S>, %y: tensor<6xi64, #S>) -> tensor<6xi64, #S> {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = tensor.empty() : tensor<6xi64, #S>
  %t = linalg.generic #binary ins(%x, %y : tensor<6xi64, #S>, tensor<6xi64, #S>) outs(%e : tensor<6xi64, #S>) {
    ^bb0(%a: i64, %b: i64, %o: i64):
      %u = sparse_tensor.unary %b : i64 to i64
        present={ ^bb0(%p: i64): sparse_tensor.yield %z : i64 }
        absent={}
      %r = arith.addi %a, %u : i64
      linalg.yield %r : i64
  } -> tensor<6xi64, #S>
  return %t : tensor<6xi64, #S>
}

func.func @main() {
  %x_f64 = arith.constant dense<[3.0, 0.0, 3.0, -2.0, 0.0, 0.0]> : tensor<6xf64>
  %sx_f64 = sparse_tensor.convert %x_f64 : tensor<6xf64> to tensor<6xf64, #S>
  %y_f64 = arith.constant dense<[0.0, 1.0, 2.0, 0.0, 0.0, 0.0]> : tensor<6xf64>
  %sy_f64 = sparse_tensor.convert %y_f64 : tensor<6xf64> to tensor<6xf64, #S>
  %x_i64 = arith.constant dense<[3, 0, 3, -2, 0, 0]> : tensor<6xi64>
  %sx_i64 = sparse_tensor.convert %x_i64 : tensor<6xi64> to tensor<6xi64, #S>
  %y_i64 = arith.constant dense<[0, 1, 2, 0, 0, 0]> : tensor<6xi64>
  %sy_i64 = sparse_tensor.convert %y_i64 : tensor<6xi64> to tensor<6xi64, #S>
  %a_zero_added = func.call @a_zero_added(%sx_f64, %sy_f64) : (tensor<6xf64, #S>, tensor<6xf64, #S>) -> tensor<6xf64, #S>
  sparse_tensor.print %a_zero_added : tensor<6xf64, #S>
  %a_number_added_and_taken_away = func.call @a_number_added_and_taken_away(%sx_f64, %sy_f64) : (tensor<6xf64, #S>, tensor<6xf64, #S>) -> tensor<6xf64, #S>
  sparse_tensor.print %a_number_added_and_taken_away : tensor<6xf64, #S>
  %xor_with_a_zero_of_a_region = func.call @xor_with_a_zero_of_a_region(%sx_i64, %sy_i64) : (tensor<6xi64, #S>, tensor<6xi64, #S>) -> tensor<6xi64, #S>
  sparse_tensor.print %xor_with_a_zero_of_a_region : tensor<6xi64, #S>
  %or_with_one = func.call @or_with_one(%sx_i64, %sy_i64) : (tensor<6xi64, #S>, tensor<6xi64, #S>) -> tensor<6xi64, #S>
  sparse_tensor.print %or_with_one : tensor<6xi64, #S>
  %a_difference_to_one = func.call @a_difference_to_one(%sx_i64, %sy_i64) : (tensor<6xi64, #S>, tensor<6xi64, #S>) -> tensor<6xi64, #S>
  sparse_tensor.print %a_difference_to_one : tensor<6xi64, #S>
  %twice_one = func.call @twice_one(%sx_i64, %sy_i64) : (tensor<6xi64, #S>, tensor<6xi64, #S>) -> tensor<6xi64, #S>
  sparse_tensor.print %twice_one : tensor<6xi64, #S>
  %one_of_present_entries = func.call @one_of_present_entries(%sx_i64, %sy_i64) : (tensor<6xi64, #S>, tensor<6xi64, #S>) -> tensor<6xi64, #S>
  sparse_tensor.print %one_of_present_entries : tensor<6xi64, #S>
  return
}
