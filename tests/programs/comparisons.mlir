// Comparisons that do not hold of zeros: the result is stored where an operand is.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"],
  doc = "X(i) = A(i) OP B(i)"
}
module {
  func.func @lt(%a: tensor<?xf64, #SV>, %b: tensor<?xf64, #SV>) -> tensor<?xi1, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xi1, #SV>
    %0 = linalg.generic #op ins(%a, %b : tensor<?xf64, #SV>, tensor<?xf64, #SV>) outs(%e : tensor<?xi1, #SV>) {
      ^bb0(%x: f64, %y: f64, %o: i1):
        %1 = arith.cmpf olt, %x, %y : f64
        linalg.yield %1 : i1
    } -> tensor<?xi1, #SV>
    return %0 : tensor<?xi1, #SV>
  }
  func.func @gt(%a: tensor<?xf64, #SV>, %b: tensor<?xf64, #SV>) -> tensor<?xi1, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xi1, #SV>
    %0 = linalg.generic #op ins(%a, %b : tensor<?xf64, #SV>, tensor<?xf64, #SV>) outs(%e : tensor<?xi1, #SV>) {
      ^bb0(%x: f64, %y: f64, %o: i1):
        %1 = arith.cmpf ogt, %x, %y : f64
        linalg.yield %1 : i1
    } -> tensor<?xi1, #SV>
    return %0 : tensor<?xi1, #SV>
  }
  func.func @ne(%a: tensor<?xf64, #SV>, %b: tensor<?xf64, #SV>) -> tensor<?xi1, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xf64, #SV>
    %e = tensor.empty(%d) : tensor<?xi1, #SV>
    %0 = linalg.generic #op ins(%a, %b : tensor<?xf64, #SV>, tensor<?xf64, #SV>) outs(%e : tensor<?xi1, #SV>) {
      ^bb0(%x: f64, %y: f64, %o: i1):
        %1 = arith.cmpf one, %x, %y : f64
        linalg.yield %1 : i1
    } -> tensor<?xi1, #SV>
    return %0 : tensor<?xi1, #SV>
  }
  func.func @main() {
    %a = arith.constant sparse<[[0], [3], [5], [6]], [7.0, -4.0, 12.0, 1.0]> : tensor<9xf64>
    %b = arith.constant sparse<[[1], [3], [6], [8]], [3.0, 6.0, 1.0, -9.0]> : tensor<9xf64>
    %as = sparse_tensor.convert %a : tensor<9xf64> to tensor<?xf64, #SV>
    %bs = sparse_tensor.convert %b : tensor<9xf64> to tensor<?xf64, #SV>
    %r_lt = call @lt(%as, %bs) : (tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xi1, #SV>
    sparse_tensor.print %r_lt : tensor<?xi1, #SV>
    %r_gt = call @gt(%as, %bs) : (tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xi1, #SV>
    sparse_tensor.print %r_gt : tensor<?xi1, #SV>
    %r_ne = call @ne(%as, %bs) : (tensor<?xf64, #SV>, tensor<?xf64, #SV>) -> tensor<?xi1, #SV>
    sparse_tensor.print %r_ne : tensor<?xi1, #SV>
    return
  }
}
