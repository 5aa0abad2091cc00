// Kernels with names in the generic syntax, with and without the maps that MLIR's printer writes beside them.
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
func.func @show(%r: tensor<2x2xf64>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f64
  %v = vector.transfer_read %r[%c0, %c0], %z : tensor<2x2xf64>, vector<2x2xf64>
  vector.print %v : vector<2x2xf64>
  return
}
func.func @main() {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %b = arith.constant dense<[[0.5, 0.25], [8.0, 1.0]]> : tensor<2x2xf64>
  %s = arith.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %x = arith.constant dense<[10.0, 100.0]> : tensor<2xf64>
  %e = tensor.empty() : tensor<2x2xf64>
  %map = "linalg.map"(%a, %b, %e) ({
  ^bb0(%p: f64, %q: f64, %o: f64):
    %m = "arith.mulf"(%p, %q) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
    "linalg.yield"(%m) : (f64) -> ()
  }) : (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  call @show(%map) : (tensor<2x2xf64>) -> ()
  %none = "linalg.map"(%e) ({
  ^bb0(%o: f64):
    %k = arith.constant 7.0 : f64
    linalg.yield %k : f64
  }) : (tensor<2x2xf64>) -> tensor<2x2xf64>
  call @show(%none) : (tensor<2x2xf64>) -> ()
  %mv = "linalg.matvec"(%a, %x, %x) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%p: f64, %q: f64, %o: f64):
    %m = arith.mulf %p, %q : f64
    %n = arith.addf %o, %m : f64
    linalg.yield %n : f64
  }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]}
    : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %vm = "linalg.vecmat"(%x, %a, %mv) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%p: f64, %q: f64, %o: f64):
    %m = arith.mulf %p, %q : f64
    %n = arith.addf %o, %m : f64
    linalg.yield %n : f64
  }) : (tensor<2xf64>, tensor<2x2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %rows = linalg.broadcast ins(%vm : tensor<2xf64>) outs(%e : tensor<2x2xf64>) dimensions = [0]
  call @show(%rows) : (tensor<2x2xf64>) -> ()
  %chosen = linalg.select ins(%s, %a, %b : tensor<2x2xi1>, tensor<2x2xf64>, tensor<2x2xf64>) outs(%e : tensor<2x2xf64>) -> tensor<2x2xf64>
  call @show(%chosen) : (tensor<2x2xf64>) -> ()
  %one = linalg.reciprocal ins(%b : tensor<2x2xf64>) outs(%e : tensor<2x2xf64>) -> tensor<2x2xf64>
  call @show(%one) : (tensor<2x2xf64>) -> ()
  %sum = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #t, #id]
    ins(%a, %b : tensor<2x2xf64>, tensor<2x2xf64>) outs(%e : tensor<2x2xf64>) -> tensor<2x2xf64>
  call @show(%sum) : (tensor<2x2xf64>) -> ()
  %top = linalg.elementwise kind=#linalg.elementwise_kind<max_signed>
    ins(%a, %b : tensor<2x2xf64>, tensor<2x2xf64>) outs(%e : tensor<2x2xf64>) -> tensor<2x2xf64>
  call @show(%top) : (tensor<2x2xf64>) -> ()
  return
}
