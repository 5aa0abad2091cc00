// A size that a value gives is open in the type, and one that the text gives is known there.
func.func @parts(%a: tensor<4x4xf64>, %o: tensor<1x1xf64>, %v: tensor<4xf64>, %i: index, %x: f64) {
  // expected-error@+1 {{a value gives the part's size in dimension 0, and the result has size 4}}
  %0 = tensor.extract_slice %a[0, 0] [%i, 1] [1, 1] : tensor<4x4xf64> to tensor<4x1xf64>
  // expected-error@+1 {{the part has size 2 in dimension 0, which the result leaves open}}
  %1 = tensor.extract_slice %a[0, 0] [2, 1] [1, 1] : tensor<4x4xf64> to tensor<?x1xf64>
  // expected-error@+1 {{the part is ?x1, and the result is `tensor<4xf64>`}}
  %2 = tensor.extract_slice %a[0, 0] [%i, 1] [1, 1] : tensor<4x4xf64> to tensor<4xf64>
  // expected-error@+1 {{a value gives the part's size in dimension 0, and `%o` has size 1}}
  %3 = tensor.insert_slice %o into %a[0, 0] [%i, 1] [1, 1] : tensor<1x1xf64> into tensor<4x4xf64>
  // expected-error@+1 {{dimension 0 is 5 with what pads it, and the result has `?`}}
  %4 = tensor.pad %v low[1] high[0] { ^bb0(%p: index): tensor.yield %x : f64 } : tensor<4xf64> to tensor<?xf64>
  %5 = tensor.extract_slice %a[0, 0] [%i, 1] [1, 1] : tensor<4x4xf64> to tensor<?xf64>
  %6 = tensor.pad %v low[%i] high[0] { ^bb0(%p: index): tensor.yield %x : f64 } : tensor<4xf64> to tensor<6xf64>
  return
}
