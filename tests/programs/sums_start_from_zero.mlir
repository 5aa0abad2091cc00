// A result without an entry starts from zero: 0 + -0 and 0 - 0 are 0. A sum of two operands is the one that is there, a
// difference its negation: -0 stays -0.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
#id = affine_map<(i) -> (i)>
#both = affine_map<(i, j) -> (i, j)>
func.func @reduce0(%a: tensor<4x4xf64, #CSR>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#both, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
    ins(%a : tensor<4x4xf64, #CSR>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.addf %o, %x : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @reduce1(%a: tensor<4x4xf64, #CSR>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#both, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x4xf64, #CSR>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.addf %o, %x : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @reduce2(%a: tensor<4x4xf64, #CSR>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#both, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
    ins(%a : tensor<4x4xf64, #CSR>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.subf %o, %x : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @reduce3(%a: tensor<4x4xf64, #CSR>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#both, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x4xf64, #CSR>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.subf %o, %x : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @reduce4(%a: tensor<4x4xf64, #CSC>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#both, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
    ins(%a : tensor<4x4xf64, #CSC>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.addf %o, %x : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @reduce5(%a: tensor<4x4xf64, #CSC>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#both, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x4xf64, #CSC>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.addf %o, %x : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @reduce6(%a: tensor<4x4xf64, #CSC>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#both, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
    ins(%a : tensor<4x4xf64, #CSC>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.subf %o, %x : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @reduce7(%a: tensor<4x4xf64, #CSC>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#both, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x4xf64, #CSC>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.subf %o, %x : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @onto_addf(%a: tensor<4xf64, #SV>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf64, #SV>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.addf %o, %x : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @two_addf(%a: tensor<4xf64, #SV>, %b: tensor<4xf64, #SV>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%a, %b : tensor<4xf64, #SV>, tensor<4xf64, #SV>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %s = arith.addf %x, %y : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @onto_subf(%a: tensor<4xf64, #SV>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf64, #SV>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.subf %o, %x : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @two_subf(%a: tensor<4xf64, #SV>, %b: tensor<4xf64, #SV>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%a, %b : tensor<4xf64, #SV>, tensor<4xf64, #SV>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %s = arith.subf %x, %y : f64
    linalg.yield %s : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}
func.func @main() {
  %c = arith.constant sparse<[[0, 0], [1, 1], [2, 0], [3, 2], [3, 3]], [0.0, -0.0, 0.0, -1.0, 1.0]> : tensor<4x4xf64>
  %CSR = sparse_tensor.convert %c : tensor<4x4xf64> to tensor<4x4xf64, #CSR>
  %CSC = sparse_tensor.convert %c : tensor<4x4xf64> to tensor<4x4xf64, #CSC>
  %ca = arith.constant sparse<[[0], [1]], [0.0, -0.0]> : tensor<4xf64>
  %cb = arith.constant sparse<[[2], [3]], [0.0, -0.0]> : tensor<4xf64>
  %a = sparse_tensor.convert %ca : tensor<4xf64> to tensor<4xf64, #SV>
  %b = sparse_tensor.convert %cb : tensor<4xf64> to tensor<4xf64, #SV>
  %r0 = call @reduce0(%CSR) : (tensor<4x4xf64, #CSR>) -> tensor<4xf64, #SV>
  sparse_tensor.print %r0 : tensor<4xf64, #SV>
  %r1 = call @reduce1(%CSR) : (tensor<4x4xf64, #CSR>) -> tensor<4xf64, #SV>
  sparse_tensor.print %r1 : tensor<4xf64, #SV>
  %r2 = call @reduce2(%CSR) : (tensor<4x4xf64, #CSR>) -> tensor<4xf64, #SV>
  sparse_tensor.print %r2 : tensor<4xf64, #SV>
  %r3 = call @reduce3(%CSR) : (tensor<4x4xf64, #CSR>) -> tensor<4xf64, #SV>
  sparse_tensor.print %r3 : tensor<4xf64, #SV>
  %r4 = call @reduce4(%CSC) : (tensor<4x4xf64, #CSC>) -> tensor<4xf64, #SV>
  sparse_tensor.print %r4 : tensor<4xf64, #SV>
  %r5 = call @reduce5(%CSC) : (tensor<4x4xf64, #CSC>) -> tensor<4xf64, #SV>
  sparse_tensor.print %r5 : tensor<4xf64, #SV>
  %r6 = call @reduce6(%CSC) : (tensor<4x4xf64, #CSC>) -> tensor<4xf64, #SV>
  sparse_tensor.print %r6 : tensor<4xf64, #SV>
  %r7 = call @reduce7(%CSC) : (tensor<4x4xf64, #CSC>) -> tensor<4xf64, #SV>
  sparse_tensor.print %r7 : tensor<4xf64, #SV>
  %o_addf = call @onto_addf(%a) : (tensor<4xf64, #SV>) -> tensor<4xf64, #SV>
  sparse_tensor.print %o_addf : tensor<4xf64, #SV>
  %t_addf = call @two_addf(%a, %b) : (tensor<4xf64, #SV>, tensor<4xf64, #SV>) -> tensor<4xf64, #SV>
  sparse_tensor.print %t_addf : tensor<4xf64, #SV>
  %o_subf = call @onto_subf(%a) : (tensor<4xf64, #SV>) -> tensor<4xf64, #SV>
  sparse_tensor.print %o_subf : tensor<4xf64, #SV>
  %t_subf = call @two_subf(%a, %b) : (tensor<4xf64, #SV>, tensor<4xf64, #SV>) -> tensor<4xf64, #SV>
  sparse_tensor.print %t_subf : tensor<4xf64, #SV>
  return
}
