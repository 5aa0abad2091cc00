// Where operations, arguments and blocks come from, as MLIR prints it: aliases before or behind their first use.
#loc1 = loc("locations.mlir":7:12)
#loc2 = loc("name"(#loc1))
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module {
  func.func @sum(%a: tensor<2x3xf64, #CSR> loc(#loc1), %x: tensor<2xf64> loc("x"(#loc2))) -> tensor<2xf64> {
    %0 = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<2x3xf64, #CSR>) outs(%x : tensor<2xf64>) {
    ^bb0(%in: f64 loc("a":1:2), %out: f64 loc(unknown)):
      %1 = arith.addf %out, %in : f64 loc(fused["a", #loc2, callsite("x"("q":2:3) at #loc1)])
      linalg.yield %1 : f64 loc(#loc9)
    } -> tensor<2xf64> loc(fused<"meta">[#loc2])
    return %0 : tensor<2xf64> loc("f":1:2 to 3:4)
  } loc("f":1:2 to :4)
  func.func @main() {
    %c0 = arith.constant {from = loc("here"), at = #loc1} 0 : index loc(#loc9)
    "cf.br"(%c0)[^bb1] : (index) -> () loc(#loc9)
  ^bb1(%at: index loc("at")):
    %z = arith.constant 0.0 : f64 loc("z") %e = arith.constant dense<[0.5, 1.0]> : tensor<2xf64>
    %c = arith.constant sparse<[[0, 1], [1, 2]], [2.0, 3.0]> : tensor<2x3xf64> loc(unknown)
    %a = sparse_tensor.convert %c : tensor<2x3xf64> to tensor<2x3xf64, #CSR> loc(#loc9)
    %r = call @sum(%a, %e) : (tensor<2x3xf64, #CSR>, tensor<2xf64>) -> tensor<2xf64> loc(#loc9)
    %v = vector.transfer_read %r[%at], %z : tensor<2xf64>, vector<2xf64> loc(#loc9)
    vector.print %v : vector<2xf64> loc(#loc9)
    return loc(#loc9)
  } loc(#loc)
} loc(#loc)
#loc = loc("locations.mlir":0:0)
#loc9 = loc("nine")
