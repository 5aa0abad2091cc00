// differs: MLIR 22 fails to legalize `sparse_tensor.select` of dense operands
// What is left out of a sum is no zero: its other operand keeps its sign. A loop's number is there wherever the loop is, a zero too,
// and a condition that is a number leaves no choice. Dense encodings of which nobody says what they hold start from the identity.
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#D = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>
#tr = {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
#two = {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
#all = {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @main() {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %most = arith.constant 0xFFF0000000000000 : f64
  %first = arith.constant 1 : index
  %lower = arith.constant 0 : index
  %x = arith.constant dense<[-1.0, 2.0, -3.0]> : tensor<3xf64>
  %y = tensor.empty() : tensor<3xf64>

  // A filter beside -0: ( -0, 2, -0 )
  %kept = linalg.generic #tr ins(%x : tensor<3xf64>) outs(%y : tensor<3xf64>) {
  ^bb0(%a: f64, %o: f64):
    %s = sparse_tensor.select %a : f64 {
      ^bb0(%q: f64):
      %c = arith.cmpf ogt, %q, %zero : f64
      sparse_tensor.yield %c : i1
    }
    %m = arith.constant -0.0 : f64
    %t = arith.addf %s, %m : f64
    linalg.yield %t : f64
  } -> tensor<3xf64>
  %shown = vector.transfer_read %kept[%lower], %zero : tensor<3xf64>, vector<3xf64>
  vector.print %shown : vector<3xf64>

  // The number of the loop, chosen where nothing is stored: three entries.
  %a0 = arith.constant sparse<[[2]], [7.0]> : tensor<3xf64>
  %v = sparse_tensor.convert %a0 : tensor<3xf64> to tensor<3xf64, #V>
  %e = tensor.empty() : tensor<3xf64, #V>
  %places = linalg.generic #tr ins(%v : tensor<3xf64, #V>) outs(%e : tensor<3xf64, #V>) {
  ^bb0(%a: f64, %o: f64):
    %i = linalg.index 0 : index
    %w = arith.index_cast %i : index to i64
    %f = arith.sitofp %w : i64 to f64
    %c = arith.cmpf oeq, %a, %a : f64
    %s = arith.select %c, %f, %f : f64
    linalg.yield %s : f64
  } -> tensor<3xf64, #V>
  sparse_tensor.print %places : tensor<3xf64, #V>

  // A condition on the loop is a number that is there where it does not hold, too.
  %counted = linalg.generic #tr ins(%v : tensor<3xf64, #V>) outs(%e : tensor<3xf64, #V>) {
  ^bb0(%a: f64, %o: f64):
    %i = linalg.index 0 : index
    %c = arith.cmpi sge, %i, %first : index
    %f = arith.uitofp %c : i1 to f64
    %s = arith.addf %f, %a : f64
    linalg.yield %s : f64
  } -> tensor<3xf64, #V>
  sparse_tensor.print %counted : tensor<3xf64, #V>

  // Zero where the filter lets nothing through, whatever numbers are on the way: one entry.
  %above = linalg.generic #tr ins(%v : tensor<3xf64, #V>) outs(%e : tensor<3xf64, #V>) {
  ^bb0(%a: f64, %o: f64):
    %s = sparse_tensor.select %a : f64 {
      ^bb0(%q: f64):
      %c = arith.cmpf olt, %q, %zero : f64
      sparse_tensor.yield %c : i1
    }
    %m = arith.maximumf %s, %one : f64
    %t = arith.subf %m, %one : f64
    linalg.yield %t : f64
  } -> tensor<3xf64, #V>
  sparse_tensor.print %above : tensor<3xf64, #V>

  // Brackets hold under a minus sign: -(2 - 2) is -0. So does a difference of what is absent and a stored zero.
  %d0 = arith.constant sparse<[[0], [1]], [-1.0, 0.0]> : tensor<3xf64>
  %d = sparse_tensor.convert %d0 : tensor<3xf64> to tensor<3xf64, #V>
  %old = linalg.generic #tr ins(%x : tensor<3xf64>) outs(%x : tensor<3xf64>) {
  ^bb0(%a: f64, %o: f64):
    %s = arith.subf %o, %a : f64
    %n = arith.negf %s : f64
    linalg.yield %n : f64
  } -> tensor<3xf64>
  %signs = vector.transfer_read %old[%lower], %zero : tensor<3xf64>, vector<3xf64>
  vector.print %signs : vector<3xf64>
  %difference = linalg.generic #two ins(%v, %d : tensor<3xf64, #V>, tensor<3xf64, #V>) outs(%y : tensor<3xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %s = arith.subf %a, %b : f64
    linalg.yield %s : f64
  } -> tensor<3xf64>
  %minus = vector.transfer_read %difference[%lower], %zero : tensor<3xf64>, vector<3xf64>
  vector.print %minus : vector<3xf64>

  // The greatest entry of each row, from -inf on.
  %m0 = arith.constant sparse<[[0, 1], [2, 0]], [-5.0, 4.0]> : tensor<3x3xf64>
  %matrix = sparse_tensor.convert %m0 : tensor<3x3xf64> to tensor<3x3xf64, #CSR>
  %open = tensor.empty() : tensor<3xf64, #D>
  %greatest = linalg.generic #all ins(%matrix : tensor<3x3xf64, #CSR>) outs(%open : tensor<3xf64, #D>) {
  ^bb0(%a: f64, %o: f64):
    %s = sparse_tensor.reduce %o, %a, %most : f64 {
      ^bb0(%p: f64, %q: f64):
      %m = arith.maximumf %p, %q : f64
      sparse_tensor.yield %m : f64
    }
    linalg.yield %s : f64
  } -> tensor<3xf64, #D>
  sparse_tensor.print %greatest : tensor<3xf64, #D>
  return
}
