// A condition on the coordinates is a number in a body: where it does not hold, its conjunction with an entry is false, and a
// term of the reduction.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @main() {
  %entries = arith.constant sparse<[[0, 0], [0, 1], [1, 0], [1, 3], [3, 2]], [true, true, true, true, true]> : tensor<4x5xi1>
  %A = sparse_tensor.convert %entries : tensor<4x5xi1> to tensor<4x5xi1, #CSR>
  %old = arith.constant dense<true> : tensor<4xi1>
  %true = arith.constant true
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<4x5xi1, #CSR>) outs(%old : tensor<4xi1>) {
  ^bb0(%a: i1, %o: i1):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %odd = arith.trunci %n : i64 to i1
    %both = arith.andi %a, %odd : i1
    %all = sparse_tensor.reduce %o, %both, %true : i1 {
      ^bb0(%l: i1, %r: i1):
        %and = arith.andi %l, %r : i1
        sparse_tensor.yield %and : i1
    }
    linalg.yield %all : i1
  } -> tensor<4xi1>
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %v = vector.transfer_read %y[%c0], %false : tensor<4xi1>, vector<4xi1>
  vector.print %v : vector<4xi1>
  return
}
