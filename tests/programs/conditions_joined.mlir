// A condition on the coordinates is a number in a body: where it does not hold, its conjunction with an entry is false, and a
// term of the reduction.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @main() {
  %entries = arith.constant sparse<[[0, 0], [0, 1], [1, 0], [1, 3], [3, 2]], [1, 1, 1, 1, 1]> : tensor<4x5xi8>
  %A = sparse_tensor.convert %entries : tensor<4x5xi8> to tensor<4x5xi8, #CSR>
  %old = arith.constant dense<1> : tensor<4xi8>
  %c1 = arith.constant 1 : i8
  %c0 = arith.constant 0 : i8
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<4x5xi8, #CSR>) outs(%old : tensor<4xi8>) {
  ^bb0(%a: i8, %o: i8):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %odd = arith.trunci %n : i64 to i1
    %bit = arith.extui %odd : i1 to i8
    %term = arith.andi %a, %bit : i8
    %all = sparse_tensor.reduce %o, %term, %c1 : i8 {
      ^bb0(%l: i8, %r: i8):
        %and = arith.andi %l, %r : i8
        sparse_tensor.yield %and : i8
    }
    linalg.yield %all : i8
  } -> tensor<4xi8>
  %from = arith.constant 0 : index
  %v = vector.transfer_read %y[%from], %c0 : tensor<4xi8>, vector<4xi8>
  vector.print %v : vector<4xi8>
  return
}
