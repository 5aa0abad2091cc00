// Integer operations of two sparse vectors.
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
#op = {
  indexing_maps = [ affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)> ],
  iterator_types = ["parallel"],
  doc = "X(i) = A(i) OP B(i)"
}
module {
  func.func @add(%a: tensor<?xi32, #SV>, %b: tensor<?xi32, #SV>) -> tensor<?xi32, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xi32, #SV>
    %e = tensor.empty(%d) : tensor<?xi32, #SV>
    %0 = linalg.generic #op ins(%a, %b : tensor<?xi32, #SV>, tensor<?xi32, #SV>) outs(%e : tensor<?xi32, #SV>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %1 = arith.addi %x, %y : i32
        linalg.yield %1 : i32
    } -> tensor<?xi32, #SV>
    return %0 : tensor<?xi32, #SV>
  }
  func.func @sub(%a: tensor<?xi32, #SV>, %b: tensor<?xi32, #SV>) -> tensor<?xi32, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xi32, #SV>
    %e = tensor.empty(%d) : tensor<?xi32, #SV>
    %0 = linalg.generic #op ins(%a, %b : tensor<?xi32, #SV>, tensor<?xi32, #SV>) outs(%e : tensor<?xi32, #SV>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %1 = arith.subi %x, %y : i32
        linalg.yield %1 : i32
    } -> tensor<?xi32, #SV>
    return %0 : tensor<?xi32, #SV>
  }
  func.func @mul(%a: tensor<?xi32, #SV>, %b: tensor<?xi32, #SV>) -> tensor<?xi32, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xi32, #SV>
    %e = tensor.empty(%d) : tensor<?xi32, #SV>
    %0 = linalg.generic #op ins(%a, %b : tensor<?xi32, #SV>, tensor<?xi32, #SV>) outs(%e : tensor<?xi32, #SV>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %1 = arith.muli %x, %y : i32
        linalg.yield %1 : i32
    } -> tensor<?xi32, #SV>
    return %0 : tensor<?xi32, #SV>
  }
  func.func @conj(%a: tensor<?xi32, #SV>, %b: tensor<?xi32, #SV>) -> tensor<?xi32, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xi32, #SV>
    %e = tensor.empty(%d) : tensor<?xi32, #SV>
    %0 = linalg.generic #op ins(%a, %b : tensor<?xi32, #SV>, tensor<?xi32, #SV>) outs(%e : tensor<?xi32, #SV>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %1 = arith.andi %x, %y : i32
        linalg.yield %1 : i32
    } -> tensor<?xi32, #SV>
    return %0 : tensor<?xi32, #SV>
  }
  func.func @disj(%a: tensor<?xi32, #SV>, %b: tensor<?xi32, #SV>) -> tensor<?xi32, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xi32, #SV>
    %e = tensor.empty(%d) : tensor<?xi32, #SV>
    %0 = linalg.generic #op ins(%a, %b : tensor<?xi32, #SV>, tensor<?xi32, #SV>) outs(%e : tensor<?xi32, #SV>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %1 = arith.ori %x, %y : i32
        linalg.yield %1 : i32
    } -> tensor<?xi32, #SV>
    return %0 : tensor<?xi32, #SV>
  }
  func.func @parity(%a: tensor<?xi32, #SV>, %b: tensor<?xi32, #SV>) -> tensor<?xi32, #SV> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?xi32, #SV>
    %e = tensor.empty(%d) : tensor<?xi32, #SV>
    %0 = linalg.generic #op ins(%a, %b : tensor<?xi32, #SV>, tensor<?xi32, #SV>) outs(%e : tensor<?xi32, #SV>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %1 = arith.xori %x, %y : i32
        linalg.yield %1 : i32
    } -> tensor<?xi32, #SV>
    return %0 : tensor<?xi32, #SV>
  }
  func.func @main() {
    %a = arith.constant sparse<[[0], [3], [5], [6]], [7, -4, 12, 2147483647]> : tensor<9xi32>
    %b = arith.constant sparse<[[1], [3], [6], [8]], [3, 6, 1, 9]> : tensor<9xi32>
    %as = sparse_tensor.convert %a : tensor<9xi32> to tensor<?xi32, #SV>
    %bs = sparse_tensor.convert %b : tensor<9xi32> to tensor<?xi32, #SV>
    %r_add = call @add(%as, %bs) : (tensor<?xi32, #SV>, tensor<?xi32, #SV>) -> tensor<?xi32, #SV>
    sparse_tensor.print %r_add : tensor<?xi32, #SV>
    %r_sub = call @sub(%as, %bs) : (tensor<?xi32, #SV>, tensor<?xi32, #SV>) -> tensor<?xi32, #SV>
    sparse_tensor.print %r_sub : tensor<?xi32, #SV>
    %r_mul = call @mul(%as, %bs) : (tensor<?xi32, #SV>, tensor<?xi32, #SV>) -> tensor<?xi32, #SV>
    sparse_tensor.print %r_mul : tensor<?xi32, #SV>
    %r_conj = call @conj(%as, %bs) : (tensor<?xi32, #SV>, tensor<?xi32, #SV>) -> tensor<?xi32, #SV>
    sparse_tensor.print %r_conj : tensor<?xi32, #SV>
    %r_disj = call @disj(%as, %bs) : (tensor<?xi32, #SV>, tensor<?xi32, #SV>) -> tensor<?xi32, #SV>
    sparse_tensor.print %r_disj : tensor<?xi32, #SV>
    %r_parity = call @parity(%as, %bs) : (tensor<?xi32, #SV>, tensor<?xi32, #SV>) -> tensor<?xi32, #SV>
    sparse_tensor.print %r_parity : tensor<?xi32, #SV>
    return
  }
}
