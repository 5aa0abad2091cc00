// sparse_tensor.reduce and select.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#SparseVector = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

#rows = {
  indexing_maps = [ affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)> ],
  iterator_types = ["parallel", "reduction"]
}
#ewise = {
  indexing_maps = [ affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i,j)> ],
  iterator_types = ["parallel", "parallel"]
}
module {
  func.func @prod(%a: tensor<?x?xf64, #CSR>) -> tensor<?xf64, #SparseVector> {
    %c = arith.constant 0 : index
    %one = arith.constant 1.0 : f64
    %d = tensor.dim %a, %c : tensor<?x?xf64, #CSR>
    %init = tensor.empty(%d) : tensor<?xf64, #SparseVector>
    %0 = linalg.generic #rows
      ins(%a : tensor<?x?xf64, #CSR>) outs(%init : tensor<?xf64, #SparseVector>) {
      ^bb0(%x: f64, %z: f64):
        %1 = sparse_tensor.reduce %x, %z, %one : f64 {
          ^bb0(%p: f64, %q: f64):
            %2 = arith.mulf %p, %q : f64
            sparse_tensor.yield %2 : f64
        }
        linalg.yield %1 : f64
    } -> tensor<?xf64, #SparseVector>
    return %0 : tensor<?xf64, #SparseVector>
  }
  func.func @large(%a: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %two = arith.constant 2.0 : f64
    %d0 = tensor.dim %a, %c0 : tensor<?x?xf64, #CSR>
    %d1 = tensor.dim %a, %c1 : tensor<?x?xf64, #CSR>
    %init = tensor.empty(%d0, %d1) : tensor<?x?xf64, #CSR>
    %0 = linalg.generic #ewise
      ins(%a : tensor<?x?xf64, #CSR>) outs(%init : tensor<?x?xf64, #CSR>) {
      ^bb0(%x: f64, %z: f64):
        %1 = sparse_tensor.select %x : f64 {
          ^bb0(%p: f64):
            %2 = arith.cmpf ogt, %p, %two : f64
            sparse_tensor.yield %2 : i1
        }
        linalg.yield %1 : f64
    } -> tensor<?x?xf64, #CSR>
    return %0 : tensor<?x?xf64, #CSR>
  }
  func.func @upper(%a: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %d0 = tensor.dim %a, %c0 : tensor<?x?xf64, #CSR>
    %d1 = tensor.dim %a, %c1 : tensor<?x?xf64, #CSR>
    %init = tensor.empty(%d0, %d1) : tensor<?x?xf64, #CSR>
    %0 = linalg.generic #ewise
      ins(%a : tensor<?x?xf64, #CSR>) outs(%init : tensor<?x?xf64, #CSR>) {
      ^bb0(%x: f64, %z: f64):
        %row = linalg.index 0 : index
        %col = linalg.index 1 : index
        %1 = sparse_tensor.select %x : f64 {
          ^bb0(%p: f64):
            %2 = arith.cmpi ugt, %col, %row : index
            sparse_tensor.yield %2 : i1
        }
        linalg.yield %1 : f64
    } -> tensor<?x?xf64, #CSR>
    return %0 : tensor<?x?xf64, #CSR>
  }
  func.func @main() {
    %a = arith.constant dense<[[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [4.0, 0.0, 5.0], [0.0, 2.5, 0.0]]> : tensor<4x3xf64>
    %as = sparse_tensor.convert %a : tensor<4x3xf64> to tensor<?x?xf64, #CSR>
    %0 = call @prod(%as) : (tensor<?x?xf64, #CSR>) -> tensor<?xf64, #SparseVector>
    %1 = call @large(%as) : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
    %2 = call @upper(%as) : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
    sparse_tensor.print %0 : tensor<?xf64, #SparseVector>
    sparse_tensor.print %1 : tensor<?x?xf64, #CSR>
    sparse_tensor.print %2 : tensor<?x?xf64, #CSR>
    return
  }
}
