// differs: MLIR 22 cannot legalize a `unary` beside the old value of a sparse result
// Where a body that reads the old value has no result, the entry stays, also where every loop is one of the result's.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#trait = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }
func.func @negated(%a: tensor<4xf64, #V>, %y: tensor<4xf64, #V>) -> tensor<4xf64, #V> {
  %r = linalg.generic #trait ins(%a : tensor<4xf64, #V>) outs(%y : tensor<4xf64, #V>) {
  ^bb0(%x: f64, %o: f64):
    %u = sparse_tensor.unary %x : f64 to f64
      present = { ^bb0(%p: f64): %n = arith.negf %p : f64  sparse_tensor.yield %n : f64 }
      absent = {}
    %m = arith.mulf %u, %o : f64
    linalg.yield %m : f64
  } -> tensor<4xf64, #V>
  return %r : tensor<4xf64, #V>
}
func.func @kept(%a: tensor<4xf64, #V>, %y: tensor<4xf64, #V>) -> tensor<4xf64, #V> {
  %zero = arith.constant 0.0 : f64
  %r = linalg.generic #trait ins(%a : tensor<4xf64, #V>) outs(%y : tensor<4xf64, #V>) {
  ^bb0(%x: f64, %o: f64):
    %s = sparse_tensor.select %x : f64 { ^bb0(%p: f64): %c = arith.cmpf ogt, %p, %zero : f64  sparse_tensor.yield %c : i1 }
    %m = arith.mulf %s, %o : f64
    linalg.yield %m : f64
  } -> tensor<4xf64, #V>
  return %r : tensor<4xf64, #V>
}
func.func @main() {
  %da = arith.constant dense<[2.0, 0.0, -3.0, 0.0]> : tensor<4xf64>
  %dy = arith.constant dense<[10.0, 20.0, 30.0, 0.0]> : tensor<4xf64>
  %a = sparse_tensor.convert %da : tensor<4xf64> to tensor<4xf64, #V>
  %y = sparse_tensor.convert %dy : tensor<4xf64> to tensor<4xf64, #V>
  %z = sparse_tensor.convert %dy : tensor<4xf64> to tensor<4xf64, #V>
  %n = call @negated(%a, %y) : (tensor<4xf64, #V>, tensor<4xf64, #V>) -> tensor<4xf64, #V>
  %k = call @kept(%a, %z) : (tensor<4xf64, #V>, tensor<4xf64, #V>) -> tensor<4xf64, #V>
  sparse_tensor.print %n : tensor<4xf64, #V>
  sparse_tensor.print %k : tensor<4xf64, #V>
  return
}
