func.func @loops(%t: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{an iterator type is a text in quotes here: `"parallel"`}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = [#linalg.iterator_type<parallel>]} outs(%t : tensor<4xf64>) {
  ^bb0(%a: f64):
    linalg.yield %a : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// -----

// expected-error@+1 {{a vector's sizes are numbers}}
func.func private @open(vector<?xf64>)

// -----

func.func @region(%a: tensor<2xi32>, %n: i32) -> tensor<4xi32> {
  %0 = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    // expected-error@+1 {{expected `:`, found the end of the line}}
    tensor.yield %n
  } : tensor<2xi32> to tensor<4xi32>
  return %0 : tensor<4xi32>
}
