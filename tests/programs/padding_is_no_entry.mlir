// differs: MLIR 22 crashes
// What pads `structured` is no entry of a kernel or of `foreach`; the zeros of blocks are. `number_of_entries` counts what is stored.
#NM = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
#BSR = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 4 : compressed, i mod 2 : dense, j mod 4 : dense) }>
#trait = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"] }
#scaled = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"] }
func.func private @printMemrefF64(tensor<*xf64>)
func.func @nm(%s: tensor<2x4xf64, #NM>) {
  %top = arith.constant 100.0 : f64
  %one = arith.constant 1.0 : f64
  %tops = arith.constant dense<100.0> : tensor<2xf64>
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %x = arith.constant dense<[1.0, 0x7FF0000000000000, 1.0, 1.0]> : tensor<4xf64>
  %least = linalg.generic #trait ins(%s : tensor<2x4xf64, #NM>) outs(%tops : tensor<2xf64>) {
  ^bb0(%a: f64, %o: f64):
    %r = sparse_tensor.reduce %o, %a, %top : f64 { ^bb0(%u: f64, %v: f64): %m = arith.minimumf %u, %v : f64  sparse_tensor.yield %m : f64 }
    linalg.yield %r : f64
  } -> tensor<2xf64>
  %count = linalg.generic #trait ins(%s : tensor<2x4xf64, #NM>) outs(%zeros : tensor<2xf64>) {
  ^bb0(%a: f64, %o: f64):
    %u = sparse_tensor.unary %a : f64 to f64 present = { ^bb0(%p: f64): sparse_tensor.yield %one : f64 } absent = {}
    %r = arith.addf %o, %u : f64
    linalg.yield %r : f64
  } -> tensor<2xf64>
  %product = linalg.generic #scaled ins(%s, %x : tensor<2x4xf64, #NM>, tensor<4xf64>) outs(%zeros : tensor<2xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %m = arith.mulf %a, %b : f64
    %r = arith.addf %o, %m : f64
    linalg.yield %r : f64
  } -> tensor<2xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %visits = sparse_tensor.foreach in %s init(%c0) : tensor<2x4xf64, #NM>, index -> index do {
  ^bb0(%i: index, %j: index, %v: f64, %n: index):
    %more = arith.addi %n, %c1 : index
    sparse_tensor.yield %more : index
  }
  %nse = sparse_tensor.number_of_entries %s : tensor<2x4xf64, #NM>
  %least_any = tensor.cast %least : tensor<2xf64> to tensor<*xf64>
  call @printMemrefF64(%least_any) : (tensor<*xf64>) -> ()
  %count_any = tensor.cast %count : tensor<2xf64> to tensor<*xf64>
  call @printMemrefF64(%count_any) : (tensor<*xf64>) -> ()
  %product_any = tensor.cast %product : tensor<2xf64> to tensor<*xf64>
  call @printMemrefF64(%product_any) : (tensor<*xf64>) -> ()
  vector.print %visits : index
  vector.print %nse : index
  return
}
func.func @bsr(%s: tensor<2x4xf64, #BSR>) {
  %top = arith.constant 100.0 : f64
  %one = arith.constant 1.0 : f64
  %tops = arith.constant dense<100.0> : tensor<2xf64>
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %x = arith.constant dense<[1.0, 0x7FF0000000000000, 1.0, 1.0]> : tensor<4xf64>
  %least = linalg.generic #trait ins(%s : tensor<2x4xf64, #BSR>) outs(%tops : tensor<2xf64>) {
  ^bb0(%a: f64, %o: f64):
    %r = sparse_tensor.reduce %o, %a, %top : f64 { ^bb0(%u: f64, %v: f64): %m = arith.minimumf %u, %v : f64  sparse_tensor.yield %m : f64 }
    linalg.yield %r : f64
  } -> tensor<2xf64>
  %count = linalg.generic #trait ins(%s : tensor<2x4xf64, #BSR>) outs(%zeros : tensor<2xf64>) {
  ^bb0(%a: f64, %o: f64):
    %u = sparse_tensor.unary %a : f64 to f64 present = { ^bb0(%p: f64): sparse_tensor.yield %one : f64 } absent = {}
    %r = arith.addf %o, %u : f64
    linalg.yield %r : f64
  } -> tensor<2xf64>
  %product = linalg.generic #scaled ins(%s, %x : tensor<2x4xf64, #BSR>, tensor<4xf64>) outs(%zeros : tensor<2xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %m = arith.mulf %a, %b : f64
    %r = arith.addf %o, %m : f64
    linalg.yield %r : f64
  } -> tensor<2xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %visits = sparse_tensor.foreach in %s init(%c0) : tensor<2x4xf64, #BSR>, index -> index do {
  ^bb0(%i: index, %j: index, %v: f64, %n: index):
    %more = arith.addi %n, %c1 : index
    sparse_tensor.yield %more : index
  }
  %nse = sparse_tensor.number_of_entries %s : tensor<2x4xf64, #BSR>
  %least_any = tensor.cast %least : tensor<2xf64> to tensor<*xf64>
  call @printMemrefF64(%least_any) : (tensor<*xf64>) -> ()
  %count_any = tensor.cast %count : tensor<2xf64> to tensor<*xf64>
  call @printMemrefF64(%count_any) : (tensor<*xf64>) -> ()
  %product_any = tensor.cast %product : tensor<2xf64> to tensor<*xf64>
  call @printMemrefF64(%product_any) : (tensor<*xf64>) -> ()
  vector.print %visits : index
  vector.print %nse : index
  return
}
func.func @main() {
  %d = arith.constant dense<[[3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 4.0]]> : tensor<2x4xf64>
  %n = sparse_tensor.convert %d : tensor<2x4xf64> to tensor<2x4xf64, #NM>
  %b = sparse_tensor.convert %d : tensor<2x4xf64> to tensor<2x4xf64, #BSR>
  call @nm(%n) : (tensor<2x4xf64, #NM>) -> ()
  call @bsr(%b) : (tensor<2x4xf64, #BSR>) -> ()
  return
}
