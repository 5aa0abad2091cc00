// sparse_tensor.unary and binary: regions for what is stored and what is not.
#SparseVector = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

#ewise2 = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"]
}
#ewise1 = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"]
}
module {
  func.func @min(%a: tensor<?xf64, #SparseVector>, %b: tensor<?xf64, #SparseVector>) -> tensor<?xf64, #SparseVector> {
    %c = arith.constant 0 : index
    %d = tensor.dim %a, %c : tensor<?xf64, #SparseVector>
    %init = tensor.empty(%d) : tensor<?xf64, #SparseVector>
    %0 = linalg.generic #ewise2
      ins(%a, %b : tensor<?xf64, #SparseVector>, tensor<?xf64, #SparseVector>)
      outs(%init : tensor<?xf64, #SparseVector>) {
      ^bb0(%x: f64, %y: f64, %z: f64):
        %1 = sparse_tensor.binary %x, %y : f64, f64 to f64
          overlap = {
            ^bb0(%p: f64, %q: f64):
              %cmp = arith.cmpf olt, %p, %q : f64
              %2 = arith.select %cmp, %p, %q : f64
              sparse_tensor.yield %2 : f64
          }
          left = identity
          right = {
            ^bb0(%q: f64):
              %2 = arith.negf %q : f64
              sparse_tensor.yield %2 : f64
          }
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SparseVector>
    return %0 : tensor<?xf64, #SparseVector>
  }
  func.func @only_left(%a: tensor<?xf64, #SparseVector>, %b: tensor<?xf64, #SparseVector>) -> tensor<?xf64, #SparseVector> {
    %c = arith.constant 0 : index
    %d = tensor.dim %a, %c : tensor<?xf64, #SparseVector>
    %init = tensor.empty(%d) : tensor<?xf64, #SparseVector>
    %0 = linalg.generic #ewise2
      ins(%a, %b : tensor<?xf64, #SparseVector>, tensor<?xf64, #SparseVector>)
      outs(%init : tensor<?xf64, #SparseVector>) {
      ^bb0(%x: f64, %y: f64, %z: f64):
        %1 = sparse_tensor.binary %x, %y : f64, f64 to f64
          overlap = {}
          left = identity
          right = {}
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SparseVector>
    return %0 : tensor<?xf64, #SparseVector>
  }
  func.func @complement(%a: tensor<?xf64, #SparseVector>) -> tensor<?xi32, #SparseVector> {
    %c = arith.constant 0 : index
    %ci = arith.constant 7 : i32
    %d = tensor.dim %a, %c : tensor<?xf64, #SparseVector>
    %init = tensor.empty(%d) : tensor<?xi32, #SparseVector>
    %0 = linalg.generic #ewise1
      ins(%a : tensor<?xf64, #SparseVector>) outs(%init : tensor<?xi32, #SparseVector>) {
      ^bb0(%x: f64, %z: i32):
        %1 = sparse_tensor.unary %x : f64 to i32
          present = {}
          absent = {
            sparse_tensor.yield %ci : i32
          }
        linalg.yield %1 : i32
    } -> tensor<?xi32, #SparseVector>
    return %0 : tensor<?xi32, #SparseVector>
  }
  func.func @indexed(%a: tensor<?xf64, #SparseVector>) -> tensor<?xf64, #SparseVector> {
    %c = arith.constant 0 : index
    %d = tensor.dim %a, %c : tensor<?xf64, #SparseVector>
    %init = tensor.empty(%d) : tensor<?xf64, #SparseVector>
    %0 = linalg.generic #ewise1
      ins(%a : tensor<?xf64, #SparseVector>) outs(%init : tensor<?xf64, #SparseVector>) {
      ^bb0(%x: f64, %z: f64):
        %i = linalg.index 0 : index
        %1 = sparse_tensor.unary %x : f64 to f64
          present = {
            ^bb0(%p: f64):
              %j = arith.index_cast %i : index to i64
              %f = arith.uitofp %j : i64 to f64
              %2 = arith.addf %p, %f : f64
              sparse_tensor.yield %2 : f64
          }
          absent = {}
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SparseVector>
    return %0 : tensor<?xf64, #SparseVector>
  }
  func.func @main() {
    %a = arith.constant sparse<[[0], [3], [11], [17]], [1.0, 2.0, 3.0, 4.0]> : tensor<20xf64>
    %b = arith.constant sparse<[[1], [3], [11], [18]], [5.0, 1.0, 7.0, 8.0]> : tensor<20xf64>
    %as = sparse_tensor.convert %a : tensor<20xf64> to tensor<?xf64, #SparseVector>
    %bs = sparse_tensor.convert %b : tensor<20xf64> to tensor<?xf64, #SparseVector>
    %0 = call @min(%as, %bs) : (tensor<?xf64, #SparseVector>, tensor<?xf64, #SparseVector>) -> tensor<?xf64, #SparseVector>
    %1 = call @only_left(%as, %bs) : (tensor<?xf64, #SparseVector>, tensor<?xf64, #SparseVector>) -> tensor<?xf64, #SparseVector>
    %2 = call @complement(%as) : (tensor<?xf64, #SparseVector>) -> tensor<?xi32, #SparseVector>
    %3 = call @indexed(%as) : (tensor<?xf64, #SparseVector>) -> tensor<?xf64, #SparseVector>
    sparse_tensor.print %0 : tensor<?xf64, #SparseVector>
    sparse_tensor.print %1 : tensor<?xf64, #SparseVector>
    sparse_tensor.print %2 : tensor<?xi32, #SparseVector>
    sparse_tensor.print %3 : tensor<?xf64, #SparseVector>
    return
  }
}
