// The name of a region is misspelt, or a value is not defined: only what fits is meant.
#S = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#id = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }

func.func @named(%a: tensor<4xf64, #S>, %b: tensor<4xf64, #S>) -> tensor<4xf64, #S> {
  %r = linalg.generic #id ins(%b : tensor<4xf64, #S>) outs(%a : tensor<4xf64, #S>) {
  ^bb0(%x: f64, %o: f64):
    %u = sparse_tensor.unary %x : f64 to f64
      // expected-error@+1 {{expected `present`, found `resent`}}
      resent={
        ^bb0(%v: f64):
          sparse_tensor.yield %v : f64
      }
      absent={}
    linalg.yield %u : f64
  } -> tensor<4xf64, #S>
  return %r : tensor<4xf64, #S>
}
func.func @undefined(%nse: index) -> f64 {
  // expected-error@+1 {{`%dense` is not defined before this}}
  %v = tensor.extract %dense[%nse] : tensor<4xf64>
  return %v : f64
}
