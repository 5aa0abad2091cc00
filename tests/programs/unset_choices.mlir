// differs: MLIR 22 has no rule for what a choice makes of an old value that has no entry
// Where a result has no entry, a choice of its old value is a zero that a sum or difference starts from.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#at = affine_map<(i) -> (i)>
func.func @main() {
  %one = arith.constant 1 : index
  %pd = arith.constant dense<[0.0, 0.0, 0.0, 3.0, 0.0]> : tensor<5xf64>
  %md = arith.constant dense<-0.0> : tensor<5xf64>
  %fd = arith.constant dense<[0.0, 0.0, 1.0, 0.0, -2.0]> : tensor<5xf64>
  %ed = arith.constant dense<[5.0, 0.0, 0.0, 0.0, 5.0]> : tensor<5xf64>
  %ff = sparse_tensor.convert %fd : tensor<5xf64> to tensor<5xf64, #V>
  %old = sparse_tensor.convert %ed : tensor<5xf64> to tensor<5xf64, #V>
  %e = tensor.empty() : tensor<5xf64, #V>
  %r0e = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%e : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpi eq, %i, %i : index
      %s = arith.select %c, %o, %p : f64
      %d = arith.subf %s, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r0e : tensor<5xf64, #V>
  %r0o = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%old : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpi eq, %i, %i : index
      %s = arith.select %c, %o, %p : f64
      %d = arith.subf %s, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r0o : tensor<5xf64, #V>
  %r1e = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%e : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpf oge, %o, %f : f64
      %s = arith.select %c, %f, %o : f64
      %d = arith.subf %s, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r1e : tensor<5xf64, #V>
  %r1o = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%old : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpf oge, %o, %f : f64
      %s = arith.select %c, %f, %o : f64
      %d = arith.subf %s, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r1o : tensor<5xf64, #V>
  %r2e = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%e : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpf ogt, %f, %p : f64
      %s = arith.select %c, %o, %f : f64
      %d = arith.subf %s, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r2e : tensor<5xf64, #V>
  %r2o = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%old : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpf ogt, %f, %p : f64
      %s = arith.select %c, %o, %f : f64
      %d = arith.subf %s, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r2o : tensor<5xf64, #V>
  %r3e = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%e : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpf ogt, %f, %p : f64
      %s = arith.select %c, %p, %o : f64
      %d = arith.addf %m, %s : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r3e : tensor<5xf64, #V>
  %r3o = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%old : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpf ogt, %f, %p : f64
      %s = arith.select %c, %p, %o : f64
      %d = arith.addf %m, %s : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r3o : tensor<5xf64, #V>
  %r4e = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%e : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %s = arith.subf %f, %o : f64
      %d = arith.subf %s, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r4e : tensor<5xf64, #V>
  %r4o = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%old : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %s = arith.subf %f, %o : f64
      %d = arith.subf %s, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r4o : tensor<5xf64, #V>
  %r5e = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%e : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %s = arith.addf %o, %f : f64
      %c = arith.cmpi eq, %i, %one : index
      %s2 = arith.select %c, %s, %f : f64
      %d = arith.subf %s2, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r5e : tensor<5xf64, #V>
  %r5o = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%old : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %s = arith.addf %o, %f : f64
      %c = arith.cmpi eq, %i, %one : index
      %s2 = arith.select %c, %s, %f : f64
      %d = arith.subf %s2, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r5o : tensor<5xf64, #V>
  %r6e = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%e : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpi eq, %i, %one : index
      %s = arith.select %c, %o, %f : f64
      %c2 = arith.cmpf oge, %f, %p : f64
      %s2 = arith.select %c2, %s, %o : f64
      %d = arith.subf %s2, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r6e : tensor<5xf64, #V>
  %r6o = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%old : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpi eq, %i, %one : index
      %s = arith.select %c, %o, %f : f64
      %c2 = arith.cmpf oge, %f, %p : f64
      %s2 = arith.select %c2, %s, %o : f64
      %d = arith.subf %s2, %p : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r6o : tensor<5xf64, #V>
  %r7e = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%e : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpi eq, %i, %one : index
      %s = arith.select %c, %o, %f : f64
      %s2 = arith.select %c, %p, %o : f64
      %d = arith.subf %s, %s2 : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r7e : tensor<5xf64, #V>
  %r7o = linalg.generic {indexing_maps = [#at, #at, #at, #at], iterator_types = ["parallel"]}
      ins(%pd, %ff, %md : tensor<5xf64>, tensor<5xf64, #V>, tensor<5xf64>) outs(%old : tensor<5xf64, #V>) {
    ^bb0(%p: f64, %f: f64, %m: f64, %o: f64):
      %i = linalg.index 0 : index
      %c = arith.cmpi eq, %i, %one : index
      %s = arith.select %c, %o, %f : f64
      %s2 = arith.select %c, %p, %o : f64
      %d = arith.subf %s, %s2 : f64
      linalg.yield %d : f64
  } -> tensor<5xf64, #V>
  sparse_tensor.print %r7o : tensor<5xf64, #V>
  return
}
