// differs: MLIR 22 reads iteration spaces and crashes in lowering them
// Two vectors together: where only the one, only the other, and where both have an entry.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>

func.func @main() {
  %a = arith.constant dense<[1.0, 0.0, 2.0, 0.0, 3.0]> : tensor<5xf64>
  %b = arith.constant dense<[0.0, 4.0, 5.0, 0.0, 0.0]> : tensor<5xf64>
  %s = sparse_tensor.convert %a : tensor<5xf64> to tensor<5xf64, #V>
  %t = sparse_tensor.convert %b : tensor<5xf64> to tensor<5xf64, #V>
  %one = sparse_tensor.extract_iteration_space %s lvls = 0 : tensor<5xf64, #V> -> !sparse_tensor.iter_space<#V, lvls = 0>
  %two = sparse_tensor.extract_iteration_space %t lvls = 0 : tensor<5xf64, #V> -> !sparse_tensor.iter_space<#V, lvls = 0>
  %zero = arith.constant 0.0 : f64
  %dot = sparse_tensor.coiterate (%one, %two) at (%i) iter_args(%sum = %zero)
    : (!sparse_tensor.iter_space<#V, lvls = 0>, !sparse_tensor.iter_space<#V, lvls = 0>) -> f64
  case %it, _ {
    vector.print str "first alone at "
    vector.print %i : index
    sparse_tensor.yield %sum : f64
  }
  case %it, %other {
    %x = sparse_tensor.extract_value %s at %it : tensor<5xf64, #V>, !sparse_tensor.iterator<#V, lvls = 0>
    %y = sparse_tensor.extract_value %t at %other : tensor<5xf64, #V>, !sparse_tensor.iterator<#V, lvls = 0>
    %p = arith.mulf %x, %y : f64
    %n = arith.addf %sum, %p : f64
    sparse_tensor.yield %n : f64
  }
  vector.print %dot : f64
  return
}
