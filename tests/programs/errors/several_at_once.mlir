// Everything that is wrong with an operation, with its region, and with the function around it is said at once.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

// expected-error@+1 {{`@no_return` ends without a `return`}}
func.func @no_return() -> f64 {
  %0 = arith.constant 2.0 : f64
  // expected-error@+1 {{`arith.muli` takes an integer type or `index`, not `f64`}}
  %1 = arith.muli %0, %0 : f64
}

func.func @two_undefined(%A: tensor<4x4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  // expected-error@+2 {{`%c4` is not defined before this}}
  // expected-error@+1 {{`%c1` is not defined before this}}
  %x = tensor.extract %A[%c4, %c1] : tensor<4x4xf64>
  return %x : f64
}

func.func @one_index_too_many(%x: tensor<4xf64>, %i: index) -> f64 {
  // expected-error@+1 {{`tensor<4xf64>` has 1 dimension, and 2 indices are given}}
  %1 = tensor.extract %x[%i, %i] : tensor<4xf64>
  return %1 : f64
}

func.func @written_type(%A: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64> {
  // expected-error@+1 {{`%A` is `tensor<4x4xf64, #CSR>`, not `tensor<4x4xf64>`}}
  %1 = sparse_tensor.convert %A : tensor<4x4xf64> to tensor<4x4xf64>
  return %1 : tensor<4x4xf64>
}

func.func @regions(%A: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR> {
  %0 = tensor.empty() : tensor<4x4xf64, #CSR>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%A : tensor<4x4xf64, #CSR>) outs(%0 : tensor<4x4xf64, #CSR>) {
  ^bb0(%a: f64, %o: f64):
    %r = sparse_tensor.unary %a : f64 to f64
      present = {
        ^bb0(%p: f64):
          %q = math.sqrt %p : f64
          // expected-error@+1 {{`%q` is `f64`, not `f32`}}
          sparse_tensor.yield %q : f32
      }
      absent = {
        // expected-error@+1 {{the `absent` region takes no values, not 1}}
        ^bb0(%z: f64):
          sparse_tensor.yield %z : f64
      }
    linalg.yield %r : f64
  } -> tensor<4x4xf64, #CSR>
  return %1 : tensor<4x4xf64, #CSR>
}

func.func @misspelt_outs(%A: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR> {
  %0 = tensor.empty() : tensor<4x4xf64, #CSR>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  // expected-error@+2 {{`%A` is `tensor<4x4xf64, #CSR>`, not `tensor<4x4xf64>`}}
  // expected-error@+1 {{expected `outs`, found `out`}}
  } ins(%A : tensor<4x4xf64>) out(%0 : tensor<4x4xf64, #CSR>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<4x4xf64, #CSR>
  return %1 : tensor<4x4xf64, #CSR>
}

func.func @loops(%A: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR> {
  %0 = tensor.empty() : tensor<4x4xf64, #CSR>
  %1 = linalg.generic {
    // expected-error@+1 {{`k` is not declared in this map}}
    indexing_maps = [affine_map<(i, j) -> (i, k)>, affine_map<(i, j) -> (i, j)>],
    // expected-error@+1 {{3 iterator types for indexing maps of 2 dimensions}}
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%A : tensor<4x4xf64, #CSR>) outs(%0 : tensor<4x4xf64, #CSR>) {
  // expected-error@+1 {{the region takes 2 values, not 1}}
  ^bb0(%a: f64):
    linalg.yield %a : f64
  } -> tensor<4x4xf64, #CSR>
  return %1 : tensor<4x4xf64, #CSR>
}

// What its last operation is, only its dialect knows: it may leave the function.
func.func @foreign_end(%A: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR> {
  // expected-error@+1 {{nnz has no operation `test.sink`}}
  "test.sink"(%A) : (tensor<4x4xf64, #CSR>) -> ()
}

#rows = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @sorts(%A: tensor<4x4xf64, #rows>) -> tensor<4x4xf64, #rows> {
  // expected-error@+2 {{`quicksort` is no way to sort}}
  // expected-error@+1 {{lists of coordinates are reordered: encodings that begin with `compressed(nonunique)`, the other levels `singleton`}}
  %0 = sparse_tensor.reorder_coo quicksort %A : tensor<4x4xf64, #rows> to tensor<4x4xf64, #rows>
  return %0 : tensor<4x4xf64, #rows>
}
