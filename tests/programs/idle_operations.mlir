// differs: MLIR crashes on a region that uses a value of the body
// What no yielded value depends on neither reads an old value or an operand, nor runs.
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#V = affine_map<(i) -> (i)>
#parallel = { indexing_maps = [#V, #V], iterator_types = ["parallel"] }
#two = { indexing_maps = [#V, #V, #V], iterator_types = ["parallel"] }

// The old value is not read: no result leaves zero.
func.func @old(%a: tensor<4xf64, #SV>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.generic #parallel
    ins(%a : tensor<4xf64, #SV>) outs(%y : tensor<4xf64>) {
  ^bb0(%x: f64, %o: f64):
    %idle = arith.addf %o, %x : f64
    %more = math.exp %idle : f64
    %1 = sparse_tensor.unary %x : f64 to f64 present={
      ^bb0(%p: f64):
        %inner = arith.addf %p, %o : f64
        sparse_tensor.yield %p : f64
      } absent={}
    linalg.yield %1 : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// No sparse operand is used: only nonzeros are stored.
func.func @dense(%a: tensor<4xf64, #SV>, %d: tensor<4xf64>) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic #two
    ins(%a, %d : tensor<4xf64, #SV>, tensor<4xf64>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %idle = arith.mulf %x, %y : f64
    %1 = arith.addf %y, %y : f64
    linalg.yield %1 : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}

// A value is absent where what it depends on is, also through a region.
func.func @captured(%a: tensor<4xf64, #SV>, %p: i1) -> tensor<4xf64, #SV> {
  %e = tensor.empty() : tensor<4xf64, #SV>
  %r = linalg.generic #parallel
    ins(%a : tensor<4xf64, #SV>) outs(%e : tensor<4xf64, #SV>) {
  ^bb0(%x: f64, %o: f64):
    %i = linalg.index 0 : index
    %1 = scf.if %p -> f64 {
      %inner = arith.index_cast %i : index to i64
      scf.yield %x : f64
    } else {
      %twice = arith.addf %x, %x : f64
      scf.yield %twice : f64
    }
    linalg.yield %1 : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}

// Not run: the division fails. The sum over rows is the same sum with another use of its old value.
func.func @sums(%d: tensor<2x4xi64>, %y: tensor<2xi64>) -> tensor<2xi64> {
  %zero = arith.constant 0 : i64
  %r = linalg.generic { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                        iterator_types = ["parallel", "reduction"] }
    ins(%d : tensor<2x4xi64>) outs(%y : tensor<2xi64>) {
  ^bb0(%x: i64, %o: i64):
    %idle = arith.divsi %o, %zero : i64
    %1 = arith.addi %o, %x : i64
    linalg.yield %1 : i64
  } -> tensor<2xi64>
  return %r : tensor<2xi64>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f64
  %zi = arith.constant 0 : i64
  %p = arith.constant true
  %k = arith.constant dense<[0., 2., 0., 0.]> : tensor<4xf64>
  %a = sparse_tensor.convert %k : tensor<4xf64> to tensor<4xf64, #SV>
  %sevens = arith.constant dense<7.0> : tensor<4xf64>
  %old = call @old(%a, %sevens) : (tensor<4xf64, #SV>, tensor<4xf64>) -> tensor<4xf64>
  %v = vector.transfer_read %old[%c0], %z : tensor<4xf64>, vector<4xf64>
  vector.print %v : vector<4xf64>
  %d = arith.constant dense<[0., -2., 2., 3.]> : tensor<4xf64>
  %dense = call @dense(%a, %d) : (tensor<4xf64, #SV>, tensor<4xf64>) -> tensor<4xf64, #SV>
  sparse_tensor.print %dense : tensor<4xf64, #SV>
  %captured = call @captured(%a, %p) : (tensor<4xf64, #SV>, i1) -> tensor<4xf64, #SV>
  sparse_tensor.print %captured : tensor<4xf64, #SV>
  %m = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %o = arith.constant dense<[100, 200]> : tensor<2xi64>
  %sums = call @sums(%m, %o) : (tensor<2x4xi64>, tensor<2xi64>) -> tensor<2xi64>
  %w = vector.transfer_read %sums[%c0], %zi : tensor<2xi64>, vector<2xi64>
  vector.print %w : vector<2xi64>
  return
}
