// differs: MLIR 22 cannot legalize `sparse_tensor.reduce` of an operand at a sum of loops
// A reduction into a sparse result with an operand at a computed index, which is read as a dense copy with a mask: an entry
// comes about where the result had one or a term is stored, and the first term goes on from the old value only where
// there is one. A stored -0 of the copy keeps its sign.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#row_sums = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}

func.func @greatest(%a: tensor<6x2xf64>, %b: tensor<7xf64, #V>, %y: tensor<6xf64, #V>) -> tensor<6xf64, #V> {
  %least = arith.constant 0xFFF0000000000000 : f64
  %0 = linalg.generic #row_sums ins(%a, %b : tensor<6x2xf64>, tensor<7xf64, #V>) outs(%y : tensor<6xf64, #V>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %q, %least : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.maximumf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<6xf64, #V>
  return %0 : tensor<6xf64, #V>
}

func.func @product(%a: tensor<6x2xf64>, %b: tensor<7xf64, #V>, %y: tensor<6xf64, #V>) -> tensor<6xf64, #V> {
  %one = arith.constant 1.0 : f64
  %0 = linalg.generic #row_sums ins(%a, %b : tensor<6x2xf64>, tensor<7xf64, #V>) outs(%y : tensor<6xf64, #V>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %q, %one : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.mulf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<6xf64, #V>
  return %0 : tensor<6xf64, #V>
}

func.func @main() {
  %a = arith.constant dense<1.0> : tensor<6x2xf64>
  %b0 = arith.constant sparse<[[0], [1], [6]], [-3.0, -5.0, -0.0]> : tensor<7xf64>
  %b = sparse_tensor.convert %b0 : tensor<7xf64> to tensor<7xf64, #V>
  %y0 = arith.constant sparse<[[0], [3], [5]], [-4.0, -2.0, -7.0]> : tensor<6xf64>
  %y = sparse_tensor.convert %y0 : tensor<6xf64> to tensor<6xf64, #V>
  %greatest = call @greatest(%a, %b, %y) : (tensor<6x2xf64>, tensor<7xf64, #V>, tensor<6xf64, #V>) -> tensor<6xf64, #V>
  sparse_tensor.print %greatest : tensor<6xf64, #V>
  %product = call @product(%a, %b, %y) : (tensor<6x2xf64>, tensor<7xf64, #V>, tensor<6xf64, #V>) -> tensor<6xf64, #V>
  sparse_tensor.print %product : tensor<6xf64, #V>
  return
}
