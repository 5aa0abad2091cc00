// differs: MLIR 22 ends with an unresolved materialization
// Scalars that change from run to run of one kernel: in sums, products and quotients, of dense and of sparse operands,
// with zeros and infinities among them. They are operands of the compiled kernel, and a number is present everywhere.
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>

// Dense: any body.
func.func @dense(%x: tensor<5000xf64>, %f: f64, %g: f64) -> tensor<5000xf64> {
  %y = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<5000xf64>) {
  ^bb0(%o: f64):
    %s = arith.addf %o, %f : f64
    %m = arith.maximumf %s, %g : f64
    %c = arith.cmpf olt, %m, %f : f64
    %r = arith.select %c, %f, %m : f64
    linalg.yield %r : f64
  } -> tensor<5000xf64>
  return %y : tensor<5000xf64>
}

// Sparse: a number added to what is absent is present, and a product with it is absent.
func.func @sparse(%x: tensor<5000xf64, #V>, %f: f64, %g: f64) -> tensor<5000xf64, #V> {
  %o = tensor.empty() : tensor<5000xf64, #V>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<5000xf64, #V>) outs(%o : tensor<5000xf64, #V>) {
  ^bb0(%a: f64, %b: f64):
    %p = arith.mulf %a, %f : f64
    %q = arith.divf %p, %g : f64
    linalg.yield %q : f64
  } -> tensor<5000xf64, #V>
  return %y : tensor<5000xf64, #V>
}

func.func @shifted(%x: tensor<5000xf64, #V>, %f: f64) -> tensor<5000xf64, #V> {
  %o = tensor.empty() : tensor<5000xf64, #V>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<5000xf64, #V>) outs(%o : tensor<5000xf64, #V>) {
  ^bb0(%a: f64, %b: f64):
    %p = arith.subf %a, %f : f64
    linalg.yield %p : f64
  } -> tensor<5000xf64, #V>
  return %y : tensor<5000xf64, #V>
}

// What is absent stays so where the number makes no other value of it: here its value counts.
func.func @greatest(%x: tensor<5000xf64, #V>, %f: f64) -> tensor<5000xf64, #V> {
  %o = tensor.empty() : tensor<5000xf64, #V>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<5000xf64, #V>) outs(%o : tensor<5000xf64, #V>) {
  ^bb0(%a: f64, %b: f64):
    %p = arith.maximumf %a, %f : f64
    linalg.yield %p : f64
  } -> tensor<5000xf64, #V>
  return %y : tensor<5000xf64, #V>
}

// Reductions: a number is a term at every point.
func.func @total(%x: tensor<5000xf64, #V>, %f: f64) -> f64 {
  %z = arith.constant 0.0 : f64
  %t = tensor.from_elements %z : tensor<1xf64>
  %o = tensor.collapse_shape %t [] : tensor<1xf64> into tensor<f64>
  %y = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%x : tensor<5000xf64, #V>) outs(%o : tensor<f64>) {
  ^bb0(%a: f64, %b: f64):
    %p = arith.addf %a, %f : f64
    %q = arith.addf %b, %p : f64
    linalg.yield %q : f64
  } -> tensor<f64>
  %r = tensor.extract %y[] : tensor<f64>
  return %r : f64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %n = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %d = tensor.splat %one : tensor<5000xf64>
  %zeros = arith.constant dense<0.0> : tensor<5000xf64>
  %few = tensor.insert %one into %zeros[%c7] : tensor<5000xf64>
  %s = sparse_tensor.convert %few : tensor<5000xf64> to tensor<5000xf64, #V>
  // 1 / 0 is an infinity, then come 1, 0.5 and 1 / 3.
  scf.for %k = %c0 to %n step %c1 {
    %i = arith.index_cast %k : index to i64
    %f = arith.sitofp %i : i64 to f64
    %g = arith.divf %one, %f : f64
    %y0 = func.call @dense(%d, %f, %g) : (tensor<5000xf64>, f64, f64) -> tensor<5000xf64>
    %x0 = tensor.extract %y0[%c7] : tensor<5000xf64>
    vector.print %x0 : f64
    %y1 = func.call @sparse(%s, %f, %g) : (tensor<5000xf64, #V>, f64, f64) -> tensor<5000xf64, #V>
    %e1 = sparse_tensor.number_of_entries %y1 : tensor<5000xf64, #V>
    vector.print %e1 : index
    %y2 = func.call @sparse(%s, %g, %f) : (tensor<5000xf64, #V>, f64, f64) -> tensor<5000xf64, #V>
    %e2 = sparse_tensor.number_of_entries %y2 : tensor<5000xf64, #V>
    vector.print %e2 : index
    %x2 = tensor.extract %y2[%c7] : tensor<5000xf64, #V>
    vector.print %x2 : f64
    %y3 = func.call @shifted(%s, %f) : (tensor<5000xf64, #V>, f64) -> tensor<5000xf64, #V>
    %e3 = sparse_tensor.number_of_entries %y3 : tensor<5000xf64, #V>
    vector.print %e3 : index
    %x3 = tensor.extract %y3[%c0] : tensor<5000xf64, #V>
    vector.print %x3 : f64
    %y4 = func.call @greatest(%s, %f) : (tensor<5000xf64, #V>, f64) -> tensor<5000xf64, #V>
    %e4 = sparse_tensor.number_of_entries %y4 : tensor<5000xf64, #V>
    vector.print %e4 : index
    %x5 = func.call @total(%s, %f) : (tensor<5000xf64, #V>, f64) -> f64
    vector.print %x5 : f64
  }
  return
}
