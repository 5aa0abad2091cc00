// differs: what is absent is a rule of nnz; MLIR 22 takes in no term where nothing is stored
// An absent number times the old value, or over it, is absent where that comes to zero, and then so is its product with an infinity.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#trait = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
  iterator_types = ["reduction"]
}
func.func @main() {
  %none = arith.constant dense<0.0> : tensor<1xf64>
  %a = sparse_tensor.convert %none : tensor<1xf64> to tensor<1xf64, #V>
  %one = arith.constant dense<1.0> : tensor<f64>
  %zero = arith.constant dense<0.0> : tensor<f64>
  %p = linalg.generic #trait ins(%a : tensor<1xf64, #V>) outs(%one : tensor<f64>) {
  ^bb0(%x: f64, %y: f64):
    %inf = arith.constant 0x7FF0000000000000 : f64
    %q = arith.mulf %x, %y : f64
    %r = arith.mulf %q, %inf : f64
    linalg.yield %r : f64
  } -> tensor<f64>
  %product = tensor.extract %p[] : tensor<f64>
  vector.print %product : f64
  %d = linalg.generic #trait ins(%a : tensor<1xf64, #V>) outs(%one : tensor<f64>) {
  ^bb0(%x: f64, %y: f64):
    %inf = arith.constant 0x7FF0000000000000 : f64
    %q = arith.divf %x, %y : f64
    %r = arith.mulf %q, %inf : f64
    linalg.yield %r : f64
  } -> tensor<f64>
  %quotient = tensor.extract %d[] : tensor<f64>
  vector.print %quotient : f64
  %n = linalg.generic #trait ins(%a : tensor<1xf64, #V>) outs(%zero : tensor<f64>) {
  ^bb0(%x: f64, %y: f64):
    %q = arith.divf %x, %y : f64
    linalg.yield %q : f64
  } -> tensor<f64>
  %number = tensor.extract %n[] : tensor<f64>
  %nan = arith.cmpf uno, %number, %number : f64
  vector.print %nan : i1
  return
}
