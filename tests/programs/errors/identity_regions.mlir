// `identity` stands for the values of one side of `sparse_tensor.binary`, and for no region else.
#pointwise = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
  iterator_types = ["parallel"]
}
func.func @one(%a: tensor<8xf64>, %b: tensor<8xf64>) -> tensor<8xf64> {
  %0 = linalg.generic #pointwise ins(%a : tensor<8xf64>) outs(%b : tensor<8xf64>) {
  ^bb0(%x: f64, %o: f64):
    // expected-error@+1 {{`present` takes a region: `identity` is for `left` and `right`}}
    %1 = sparse_tensor.unary %x : f64 to f64 present=identity absent={}
    linalg.yield %1 : f64
  } -> tensor<8xf64>
  return %0 : tensor<8xf64>
}
func.func @two(%a: tensor<8xf64>, %b: tensor<8xf64>) -> tensor<8xf64> {
  %0 = linalg.generic #pointwise ins(%a : tensor<8xf64>) outs(%b : tensor<8xf64>) {
  ^bb0(%x: f64, %o: f64):
    // expected-error@+1 {{`overlap` takes a region}}
    %1 = sparse_tensor.binary %x, %o : f64, f64 to f64 overlap=identity left=identity right=identity
    linalg.yield %1 : f64
  } -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

func.func @main() {
  return
}
