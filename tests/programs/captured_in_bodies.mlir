// differs: MLIR 22 does not lower `scf.if` within a region of `unary`
// Regions within bodies of kernels use values that the body computed, also two regions deep, and those of the regions
// of `unary`, `binary` and `select`. An operation with regions reads what they use: without anything present, a zero
// is absent.
#id = affine_map<(i) -> (i)>
#SV = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#one = { indexing_maps = [#id, #id], iterator_types = ["parallel"] }

func.func @branch(%A: tensor<4xf64>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.generic #one ins(%A : tensor<4xf64>) outs(%x : tensor<4xf64>) {
  ^bb0(%a: f64, %c: f64):
    %i = linalg.index 0 : index
    %two = arith.constant 2 : index
    %p = arith.cmpi ult, %i, %two : index
    %q = scf.if %p -> (f64) {
      scf.yield %a : f64
    } else {
      scf.yield %c : f64
    }
    linalg.yield %q : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// `%scale` comes from outside, `%t` from the body; the inner region uses both, and `%k` of the outer one.
func.func @twice(%A: tensor<4xf64>, %x: tensor<4xf64>, %scale: f64) -> tensor<4xf64> {
  %r = linalg.generic #one ins(%A : tensor<4xf64>) outs(%x : tensor<4xf64>) {
  ^bb0(%a: f64, %c: f64):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %n = arith.constant 3 : index
    %t = arith.mulf %a, %scale : f64
    %q = scf.for %k = %zero to %n step %one iter_args(%s = %c) -> (f64) {
      %last = arith.cmpi eq, %k, %one : index
      %u = scf.if %last -> (f64) {
        %v = arith.addf %s, %t : f64
        scf.yield %v : f64
      } else {
        %v = arith.subf %s, %a : f64
        scf.yield %v : f64
      }
      scf.yield %u : f64
    }
    linalg.yield %q : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

func.func @doubled_below(%A: tensor<4xf64>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.generic #one ins(%A : tensor<4xf64>) outs(%x : tensor<4xf64>) {
  ^bb0(%a: f64, %c: f64):
    %most = arith.mulf %c, %c : f64
    %q = scf.while (%s = %a) : (f64) -> (f64) {
      %more = arith.cmpf olt, %s, %most : f64
      scf.condition(%more) %s : f64
    } do {
    ^bb0(%s: f64):
      %t = arith.addf %s, %a : f64
      scf.yield %t : f64
    }
    linalg.yield %q : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// The old value is used in another block of a region alone.
func.func @blocks(%A: tensor<4xf64>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.generic #one ins(%A : tensor<4xf64>) outs(%x : tensor<4xf64>) {
  ^bb0(%a: f64, %c: f64):
    %zero = arith.constant 0.0 : f64
    %p = arith.cmpf oeq, %a, %zero : f64
    %q = scf.execute_region -> f64 {
      cf.cond_br %p, ^old, ^new
    ^old:
      scf.yield %c : f64
    ^new:
      scf.yield %a : f64
    }
    linalg.yield %q : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

func.func @in_unary(%A: tensor<4xf64, #SV>, %x: tensor<4xf64, #SV>) -> tensor<4xf64, #SV> {
  %r = linalg.generic #one ins(%A : tensor<4xf64, #SV>) outs(%x : tensor<4xf64, #SV>) {
  ^bb0(%a: f64, %c: f64):
    %most = arith.constant 2.0 : f64
    %u = sparse_tensor.unary %a : f64 to f64
      present = {
      ^bb0(%y: f64):
        %p = arith.cmpf ogt, %y, %most : f64
        %v = scf.if %p -> (f64) {
          scf.yield %most : f64
        } else {
          %w = arith.negf %y : f64
          scf.yield %w : f64
        }
        sparse_tensor.yield %v : f64
      }
      absent = {}
    linalg.yield %u : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}

// Nothing is stored where `%a` is absent and the loop gives zero.
func.func @stored(%A: tensor<4xf64, #SV>, %x: tensor<4xf64, #SV>) -> tensor<4xf64, #SV> {
  %r = linalg.generic #one ins(%A : tensor<4xf64, #SV>) outs(%x : tensor<4xf64, #SV>) {
  ^bb0(%a: f64, %c: f64):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %n = arith.constant 3 : index
    %start = arith.constant 0.0 : f64
    %q = scf.for %k = %zero to %n step %one iter_args(%s = %start) -> (f64) {
      %t = arith.addf %s, %a : f64
      scf.yield %t : f64
    }
    linalg.yield %q : f64
  } -> tensor<4xf64, #SV>
  return %r : tensor<4xf64, #SV>
}

// Vectors within a body, beside a scalar.
func.func @vectors(%A: tensor<4xf64>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.generic #one ins(%A : tensor<4xf64>) outs(%x : tensor<4xf64>) {
  ^bb0(%a: f64, %c: f64):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %n = arith.constant 2 : index
    %v = vector.broadcast %a : f64 to vector<4xf64>
    %w = arith.addf %v, %v : vector<4xf64>
    %s:2 = scf.for %k = %zero to %n step %one iter_args(%p = %w, %q = %c) -> (vector<4xf64>, f64) {
      %t = arith.addf %p, %v : vector<4xf64>
      %u = arith.addf %q, %a : f64
      scf.yield %t, %u : vector<4xf64>, f64
    }
    %all = vector.reduction <add>, %s#0 : vector<4xf64> into f64
    %y = arith.subf %all, %s#1 : f64
    linalg.yield %y : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

func.func @show(%A: tensor<4xf64>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f64
  %v = vector.transfer_read %A[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v : vector<4xf64>
  return
}

func.func @main() {
  %A = arith.constant dense<[1.0, 2.0, 0.0, 4.0]> : tensor<4xf64>
  %x = arith.constant dense<[3.0, 5.0, 7.0, 9.0]> : tensor<4xf64>
  %y = arith.constant dense<[3.0, 2.0, 0.0, 1.5]> : tensor<4xf64>
  %scale = arith.constant 10.0 : f64
  %0 = call @branch(%A, %x) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  call @show(%0) : (tensor<4xf64>) -> ()
  %1 = call @twice(%A, %x, %scale) : (tensor<4xf64>, tensor<4xf64>, f64) -> tensor<4xf64>
  call @show(%1) : (tensor<4xf64>) -> ()
  %2 = call @doubled_below(%A, %y) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  call @show(%2) : (tensor<4xf64>) -> ()
  %3 = call @blocks(%A, %x) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  call @show(%3) : (tensor<4xf64>) -> ()
  %S = sparse_tensor.convert %A : tensor<4xf64> to tensor<4xf64, #SV>
  %e = tensor.empty() : tensor<4xf64, #SV>
  %4 = call @in_unary(%S, %e) : (tensor<4xf64, #SV>, tensor<4xf64, #SV>) -> tensor<4xf64, #SV>
  sparse_tensor.print %4 : tensor<4xf64, #SV>
  %f = tensor.empty() : tensor<4xf64, #SV>
  %5 = call @stored(%S, %f) : (tensor<4xf64, #SV>, tensor<4xf64, #SV>) -> tensor<4xf64, #SV>
  sparse_tensor.print %5 : tensor<4xf64, #SV>
  %6 = call @vectors(%A, %x) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  call @show(%6) : (tensor<4xf64>) -> ()
  return
}
