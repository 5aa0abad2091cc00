func.func @a_trait(%c: tensor<2x2xf64>) -> tensor<2x2xf64> {
  // expected-error@+3 {{`iterator_types` is written twice}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%c : tensor<2x2xf64>)
    attrs = {iterator_types = ["parallel", "parallel"]} {
  ^bb0(%a: f64):
    linalg.yield %a : f64
  } -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

// -----

!t = i32
// expected-error@+1 {{`!t` is defined twice}}
!t = i64

// -----

// expected-error@+1 {{there is no escape `\q`}}
func.func private @escapes() attributes {x = "a\qb"}

// -----

func.func private @escapes() attributes {x = "a\0Ab\tc\"\\\n"}
