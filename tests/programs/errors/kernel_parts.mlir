// Numbers of loops that a kernel has not, or asked for within a region of the body; flags and sizes that are none.
#id = affine_map<(i) -> (i)>
func.func @main(%a: tensor<4xf64>, %e: tensor<4xf64>) {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%x: f64, %o: f64):
    // expected-error@+1 {{the kernel has 1 loop, counted from 0, and `linalg.index` asks for loop 1}}
    %i = linalg.index 1 : index
    linalg.yield %x : f64
  } -> tensor<4xf64>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%x: f64, %o: f64):
    %u = sparse_tensor.unary %x : f64 to f64
      present = {
      ^bb0(%p: f64):
        // expected-error@+1 {{`linalg.index` stands in the body of a kernel itself, not in a region within it}}
        %i = linalg.index 0 : index
        sparse_tensor.yield %p : f64
      }
      absent = {}
    linalg.yield %u : f64
  } -> tensor<4xf64>
  %z = arith.constant 1.0 : f64
  // expected-error@+1 {{there is no flag `fst`}}
  %f = arith.addf %z, %z fastmath<fst> : f64
  %g = arith.addf %z, %z fastmath<nnan, contract> : f64
  %c = arith.constant 1 : i32
  // expected-error@+1 {{there is no flag `nws`}}
  %h = arith.addi %c, %c overflow<nws> : i32
  // expected-error@+1 {{a vector's sizes are not 0}}
  %v = arith.constant dense<0.0> : vector<0xf64>
  return
}
