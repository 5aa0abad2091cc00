// differs: MLIR 22 leaves or clears what it does not visit, by the format of the operands
// The old value of a dense result is an ordinary value: added to in chains, scaled, subtracted from, chosen. The
// answer does not depend on the format of the operands.
#Dn = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>
#Cp = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#Nu = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(nonunique)) }>
#Bk = #sparse_tensor.encoding<{ map = (i) -> (i floordiv 2 : compressed, i mod 2 : dense) }>
#each = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
  iterator_types = ["parallel"]
}

func.func @o_a_b_Dn(%A: tensor<4xf64, #Dn>, %B: tensor<4xf64, #Dn>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Dn>, tensor<4xf64, #Dn>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %r = arith.addf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @o_a_b_Cp(%A: tensor<4xf64, #Cp>, %B: tensor<4xf64, #Cp>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Cp>, tensor<4xf64, #Cp>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %r = arith.addf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @o_a_b_Nu(%A: tensor<4xf64, #Nu>, %B: tensor<4xf64, #Nu>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Nu>, tensor<4xf64, #Nu>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %r = arith.addf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @o_a_b_Bk(%A: tensor<4xf64, #Bk>, %B: tensor<4xf64, #Bk>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Bk>, tensor<4xf64, #Bk>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %r = arith.addf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @b_oa_Dn(%A: tensor<4xf64, #Dn>, %B: tensor<4xf64, #Dn>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Dn>, tensor<4xf64, #Dn>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %r = arith.addf %q, %1 : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @b_oa_Cp(%A: tensor<4xf64, #Cp>, %B: tensor<4xf64, #Cp>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Cp>, tensor<4xf64, #Cp>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %r = arith.addf %q, %1 : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @b_oa_Nu(%A: tensor<4xf64, #Nu>, %B: tensor<4xf64, #Nu>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Nu>, tensor<4xf64, #Nu>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %r = arith.addf %q, %1 : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @b_oa_Bk(%A: tensor<4xf64, #Bk>, %B: tensor<4xf64, #Bk>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Bk>, tensor<4xf64, #Bk>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %r = arith.addf %q, %1 : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @oma_mb_Dn(%A: tensor<4xf64, #Dn>, %B: tensor<4xf64, #Dn>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Dn>, tensor<4xf64, #Dn>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.subf %o, %p : f64
      %r = arith.subf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @oma_mb_Cp(%A: tensor<4xf64, #Cp>, %B: tensor<4xf64, #Cp>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Cp>, tensor<4xf64, #Cp>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.subf %o, %p : f64
      %r = arith.subf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @oma_mb_Nu(%A: tensor<4xf64, #Nu>, %B: tensor<4xf64, #Nu>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Nu>, tensor<4xf64, #Nu>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.subf %o, %p : f64
      %r = arith.subf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @oma_mb_Bk(%A: tensor<4xf64, #Bk>, %B: tensor<4xf64, #Bk>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Bk>, tensor<4xf64, #Bk>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.subf %o, %p : f64
      %r = arith.subf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @fma_Dn(%A: tensor<4xf64, #Dn>, %B: tensor<4xf64, #Dn>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Dn>, tensor<4xf64, #Dn>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %c = arith.constant 3.0 : f64
      %1 = math.fma %p, %c, %o : f64
      %r = arith.addf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @fma_Cp(%A: tensor<4xf64, #Cp>, %B: tensor<4xf64, #Cp>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Cp>, tensor<4xf64, #Cp>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %c = arith.constant 3.0 : f64
      %1 = math.fma %p, %c, %o : f64
      %r = arith.addf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @fma_Nu(%A: tensor<4xf64, #Nu>, %B: tensor<4xf64, #Nu>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Nu>, tensor<4xf64, #Nu>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %c = arith.constant 3.0 : f64
      %1 = math.fma %p, %c, %o : f64
      %r = arith.addf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @fma_Bk(%A: tensor<4xf64, #Bk>, %B: tensor<4xf64, #Bk>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Bk>, tensor<4xf64, #Bk>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %c = arith.constant 3.0 : f64
      %1 = math.fma %p, %c, %o : f64
      %r = arith.addf %1, %q : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @mixed_Dn(%A: tensor<4xf64, #Dn>, %B: tensor<4xf64, #Dn>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Dn>, tensor<4xf64, #Dn>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %m = arith.mulf %p, %q : f64
      %r = arith.addf %1, %m : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @mixed_Cp(%A: tensor<4xf64, #Cp>, %B: tensor<4xf64, #Cp>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Cp>, tensor<4xf64, #Cp>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %m = arith.mulf %p, %q : f64
      %r = arith.addf %1, %m : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @mixed_Nu(%A: tensor<4xf64, #Nu>, %B: tensor<4xf64, #Nu>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Nu>, tensor<4xf64, #Nu>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %m = arith.mulf %p, %q : f64
      %r = arith.addf %1, %m : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @mixed_Bk(%A: tensor<4xf64, #Bk>, %B: tensor<4xf64, #Bk>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Bk>, tensor<4xf64, #Bk>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.addf %o, %p : f64
      %m = arith.mulf %p, %q : f64
      %r = arith.addf %1, %m : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @scaled_Dn(%A: tensor<4xf64, #Dn>, %B: tensor<4xf64, #Dn>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Dn>, tensor<4xf64, #Dn>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %c = arith.constant 2.0 : f64
      %1 = arith.mulf %o, %c : f64
      %r = arith.addf %1, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @scaled_Cp(%A: tensor<4xf64, #Cp>, %B: tensor<4xf64, #Cp>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Cp>, tensor<4xf64, #Cp>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %c = arith.constant 2.0 : f64
      %1 = arith.mulf %o, %c : f64
      %r = arith.addf %1, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @scaled_Nu(%A: tensor<4xf64, #Nu>, %B: tensor<4xf64, #Nu>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Nu>, tensor<4xf64, #Nu>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %c = arith.constant 2.0 : f64
      %1 = arith.mulf %o, %c : f64
      %r = arith.addf %1, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @scaled_Bk(%A: tensor<4xf64, #Bk>, %B: tensor<4xf64, #Bk>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Bk>, tensor<4xf64, #Bk>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %c = arith.constant 2.0 : f64
      %1 = arith.mulf %o, %c : f64
      %r = arith.addf %1, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @a_o_Dn(%A: tensor<4xf64, #Dn>, %B: tensor<4xf64, #Dn>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Dn>, tensor<4xf64, #Dn>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.subf %p, %o : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @a_o_Cp(%A: tensor<4xf64, #Cp>, %B: tensor<4xf64, #Cp>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Cp>, tensor<4xf64, #Cp>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.subf %p, %o : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @a_o_Nu(%A: tensor<4xf64, #Nu>, %B: tensor<4xf64, #Nu>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Nu>, tensor<4xf64, #Nu>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.subf %p, %o : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @a_o_Bk(%A: tensor<4xf64, #Bk>, %B: tensor<4xf64, #Bk>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Bk>, tensor<4xf64, #Bk>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.subf %p, %o : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @neg_Dn(%A: tensor<4xf64, #Dn>, %B: tensor<4xf64, #Dn>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Dn>, tensor<4xf64, #Dn>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.negf %o : f64
      %r = arith.addf %1, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @neg_Cp(%A: tensor<4xf64, #Cp>, %B: tensor<4xf64, #Cp>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Cp>, tensor<4xf64, #Cp>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.negf %o : f64
      %r = arith.addf %1, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @neg_Nu(%A: tensor<4xf64, #Nu>, %B: tensor<4xf64, #Nu>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Nu>, tensor<4xf64, #Nu>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.negf %o : f64
      %r = arith.addf %1, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @neg_Bk(%A: tensor<4xf64, #Bk>, %B: tensor<4xf64, #Bk>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Bk>, tensor<4xf64, #Bk>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.negf %o : f64
      %r = arith.addf %1, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @prod_Dn(%A: tensor<4xf64, #Dn>, %B: tensor<4xf64, #Dn>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Dn>, tensor<4xf64, #Dn>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.mulf %o, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @prod_Cp(%A: tensor<4xf64, #Cp>, %B: tensor<4xf64, #Cp>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Cp>, tensor<4xf64, #Cp>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.mulf %o, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @prod_Nu(%A: tensor<4xf64, #Nu>, %B: tensor<4xf64, #Nu>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Nu>, tensor<4xf64, #Nu>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.mulf %o, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @prod_Bk(%A: tensor<4xf64, #Bk>, %B: tensor<4xf64, #Bk>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Bk>, tensor<4xf64, #Bk>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.mulf %o, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @least_Dn(%A: tensor<4xf64, #Dn>, %B: tensor<4xf64, #Dn>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Dn>, tensor<4xf64, #Dn>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.minimumf %o, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @least_Cp(%A: tensor<4xf64, #Cp>, %B: tensor<4xf64, #Cp>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Cp>, tensor<4xf64, #Cp>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.minimumf %o, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @least_Nu(%A: tensor<4xf64, #Nu>, %B: tensor<4xf64, #Nu>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Nu>, tensor<4xf64, #Nu>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.minimumf %o, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @least_Bk(%A: tensor<4xf64, #Bk>, %B: tensor<4xf64, #Bk>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Bk>, tensor<4xf64, #Bk>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %r = arith.minimumf %o, %p : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @chosen_Dn(%A: tensor<4xf64, #Dn>, %B: tensor<4xf64, #Dn>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Dn>, tensor<4xf64, #Dn>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.cmpf ogt, %p, %q : f64
      %r = arith.select %1, %p, %o : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @chosen_Cp(%A: tensor<4xf64, #Cp>, %B: tensor<4xf64, #Cp>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Cp>, tensor<4xf64, #Cp>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.cmpf ogt, %p, %q : f64
      %r = arith.select %1, %p, %o : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @chosen_Nu(%A: tensor<4xf64, #Nu>, %B: tensor<4xf64, #Nu>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Nu>, tensor<4xf64, #Nu>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.cmpf ogt, %p, %q : f64
      %r = arith.select %1, %p, %o : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @chosen_Bk(%A: tensor<4xf64, #Bk>, %B: tensor<4xf64, #Bk>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic #each ins(%A, %B : tensor<4xf64, #Bk>, tensor<4xf64, #Bk>) outs(%x : tensor<4xf64>) {
    ^bb0(%p: f64, %q: f64, %o: f64):
      %1 = arith.cmpf ogt, %p, %q : f64
      %r = arith.select %1, %p, %o : f64
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @main() {
  %f0 = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<[0.0, 2.0, 0.0, 4.0]> : tensor<4xf64>
  %b = arith.constant dense<[0.0, 0.0, 30.0, 40.0]> : tensor<4xf64>
  %x = arith.constant dense<100.0> : tensor<4xf64>
  %aDn = sparse_tensor.convert %a : tensor<4xf64> to tensor<4xf64, #Dn>
  %bDn = sparse_tensor.convert %b : tensor<4xf64> to tensor<4xf64, #Dn>
  %aCp = sparse_tensor.convert %a : tensor<4xf64> to tensor<4xf64, #Cp>
  %bCp = sparse_tensor.convert %b : tensor<4xf64> to tensor<4xf64, #Cp>
  %aNu = sparse_tensor.convert %a : tensor<4xf64> to tensor<4xf64, #Nu>
  %bNu = sparse_tensor.convert %b : tensor<4xf64> to tensor<4xf64, #Nu>
  %aBk = sparse_tensor.convert %a : tensor<4xf64> to tensor<4xf64, #Bk>
  %bBk = sparse_tensor.convert %b : tensor<4xf64> to tensor<4xf64, #Bk>
  %r1 = call @o_a_b_Dn(%aDn, %bDn, %x) : (tensor<4xf64, #Dn>, tensor<4xf64, #Dn>, tensor<4xf64>) -> tensor<4xf64>
  %v1 = vector.transfer_read %r1[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v1 : vector<4xf64>
  %r2 = call @o_a_b_Cp(%aCp, %bCp, %x) : (tensor<4xf64, #Cp>, tensor<4xf64, #Cp>, tensor<4xf64>) -> tensor<4xf64>
  %v2 = vector.transfer_read %r2[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v2 : vector<4xf64>
  %r3 = call @o_a_b_Nu(%aNu, %bNu, %x) : (tensor<4xf64, #Nu>, tensor<4xf64, #Nu>, tensor<4xf64>) -> tensor<4xf64>
  %v3 = vector.transfer_read %r3[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v3 : vector<4xf64>
  %r4 = call @o_a_b_Bk(%aBk, %bBk, %x) : (tensor<4xf64, #Bk>, tensor<4xf64, #Bk>, tensor<4xf64>) -> tensor<4xf64>
  %v4 = vector.transfer_read %r4[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v4 : vector<4xf64>
  %r5 = call @b_oa_Dn(%aDn, %bDn, %x) : (tensor<4xf64, #Dn>, tensor<4xf64, #Dn>, tensor<4xf64>) -> tensor<4xf64>
  %v5 = vector.transfer_read %r5[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v5 : vector<4xf64>
  %r6 = call @b_oa_Cp(%aCp, %bCp, %x) : (tensor<4xf64, #Cp>, tensor<4xf64, #Cp>, tensor<4xf64>) -> tensor<4xf64>
  %v6 = vector.transfer_read %r6[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v6 : vector<4xf64>
  %r7 = call @b_oa_Nu(%aNu, %bNu, %x) : (tensor<4xf64, #Nu>, tensor<4xf64, #Nu>, tensor<4xf64>) -> tensor<4xf64>
  %v7 = vector.transfer_read %r7[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v7 : vector<4xf64>
  %r8 = call @b_oa_Bk(%aBk, %bBk, %x) : (tensor<4xf64, #Bk>, tensor<4xf64, #Bk>, tensor<4xf64>) -> tensor<4xf64>
  %v8 = vector.transfer_read %r8[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v8 : vector<4xf64>
  %r9 = call @oma_mb_Dn(%aDn, %bDn, %x) : (tensor<4xf64, #Dn>, tensor<4xf64, #Dn>, tensor<4xf64>) -> tensor<4xf64>
  %v9 = vector.transfer_read %r9[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v9 : vector<4xf64>
  %r10 = call @oma_mb_Cp(%aCp, %bCp, %x) : (tensor<4xf64, #Cp>, tensor<4xf64, #Cp>, tensor<4xf64>) -> tensor<4xf64>
  %v10 = vector.transfer_read %r10[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v10 : vector<4xf64>
  %r11 = call @oma_mb_Nu(%aNu, %bNu, %x) : (tensor<4xf64, #Nu>, tensor<4xf64, #Nu>, tensor<4xf64>) -> tensor<4xf64>
  %v11 = vector.transfer_read %r11[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v11 : vector<4xf64>
  %r12 = call @oma_mb_Bk(%aBk, %bBk, %x) : (tensor<4xf64, #Bk>, tensor<4xf64, #Bk>, tensor<4xf64>) -> tensor<4xf64>
  %v12 = vector.transfer_read %r12[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v12 : vector<4xf64>
  %r13 = call @fma_Dn(%aDn, %bDn, %x) : (tensor<4xf64, #Dn>, tensor<4xf64, #Dn>, tensor<4xf64>) -> tensor<4xf64>
  %v13 = vector.transfer_read %r13[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v13 : vector<4xf64>
  %r14 = call @fma_Cp(%aCp, %bCp, %x) : (tensor<4xf64, #Cp>, tensor<4xf64, #Cp>, tensor<4xf64>) -> tensor<4xf64>
  %v14 = vector.transfer_read %r14[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v14 : vector<4xf64>
  %r15 = call @fma_Nu(%aNu, %bNu, %x) : (tensor<4xf64, #Nu>, tensor<4xf64, #Nu>, tensor<4xf64>) -> tensor<4xf64>
  %v15 = vector.transfer_read %r15[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v15 : vector<4xf64>
  %r16 = call @fma_Bk(%aBk, %bBk, %x) : (tensor<4xf64, #Bk>, tensor<4xf64, #Bk>, tensor<4xf64>) -> tensor<4xf64>
  %v16 = vector.transfer_read %r16[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v16 : vector<4xf64>
  %r17 = call @mixed_Dn(%aDn, %bDn, %x) : (tensor<4xf64, #Dn>, tensor<4xf64, #Dn>, tensor<4xf64>) -> tensor<4xf64>
  %v17 = vector.transfer_read %r17[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v17 : vector<4xf64>
  %r18 = call @mixed_Cp(%aCp, %bCp, %x) : (tensor<4xf64, #Cp>, tensor<4xf64, #Cp>, tensor<4xf64>) -> tensor<4xf64>
  %v18 = vector.transfer_read %r18[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v18 : vector<4xf64>
  %r19 = call @mixed_Nu(%aNu, %bNu, %x) : (tensor<4xf64, #Nu>, tensor<4xf64, #Nu>, tensor<4xf64>) -> tensor<4xf64>
  %v19 = vector.transfer_read %r19[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v19 : vector<4xf64>
  %r20 = call @mixed_Bk(%aBk, %bBk, %x) : (tensor<4xf64, #Bk>, tensor<4xf64, #Bk>, tensor<4xf64>) -> tensor<4xf64>
  %v20 = vector.transfer_read %r20[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v20 : vector<4xf64>
  %r21 = call @scaled_Dn(%aDn, %bDn, %x) : (tensor<4xf64, #Dn>, tensor<4xf64, #Dn>, tensor<4xf64>) -> tensor<4xf64>
  %v21 = vector.transfer_read %r21[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v21 : vector<4xf64>
  %r22 = call @scaled_Cp(%aCp, %bCp, %x) : (tensor<4xf64, #Cp>, tensor<4xf64, #Cp>, tensor<4xf64>) -> tensor<4xf64>
  %v22 = vector.transfer_read %r22[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v22 : vector<4xf64>
  %r23 = call @scaled_Nu(%aNu, %bNu, %x) : (tensor<4xf64, #Nu>, tensor<4xf64, #Nu>, tensor<4xf64>) -> tensor<4xf64>
  %v23 = vector.transfer_read %r23[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v23 : vector<4xf64>
  %r24 = call @scaled_Bk(%aBk, %bBk, %x) : (tensor<4xf64, #Bk>, tensor<4xf64, #Bk>, tensor<4xf64>) -> tensor<4xf64>
  %v24 = vector.transfer_read %r24[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v24 : vector<4xf64>
  %r25 = call @a_o_Dn(%aDn, %bDn, %x) : (tensor<4xf64, #Dn>, tensor<4xf64, #Dn>, tensor<4xf64>) -> tensor<4xf64>
  %v25 = vector.transfer_read %r25[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v25 : vector<4xf64>
  %r26 = call @a_o_Cp(%aCp, %bCp, %x) : (tensor<4xf64, #Cp>, tensor<4xf64, #Cp>, tensor<4xf64>) -> tensor<4xf64>
  %v26 = vector.transfer_read %r26[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v26 : vector<4xf64>
  %r27 = call @a_o_Nu(%aNu, %bNu, %x) : (tensor<4xf64, #Nu>, tensor<4xf64, #Nu>, tensor<4xf64>) -> tensor<4xf64>
  %v27 = vector.transfer_read %r27[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v27 : vector<4xf64>
  %r28 = call @a_o_Bk(%aBk, %bBk, %x) : (tensor<4xf64, #Bk>, tensor<4xf64, #Bk>, tensor<4xf64>) -> tensor<4xf64>
  %v28 = vector.transfer_read %r28[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v28 : vector<4xf64>
  %r29 = call @neg_Dn(%aDn, %bDn, %x) : (tensor<4xf64, #Dn>, tensor<4xf64, #Dn>, tensor<4xf64>) -> tensor<4xf64>
  %v29 = vector.transfer_read %r29[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v29 : vector<4xf64>
  %r30 = call @neg_Cp(%aCp, %bCp, %x) : (tensor<4xf64, #Cp>, tensor<4xf64, #Cp>, tensor<4xf64>) -> tensor<4xf64>
  %v30 = vector.transfer_read %r30[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v30 : vector<4xf64>
  %r31 = call @neg_Nu(%aNu, %bNu, %x) : (tensor<4xf64, #Nu>, tensor<4xf64, #Nu>, tensor<4xf64>) -> tensor<4xf64>
  %v31 = vector.transfer_read %r31[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v31 : vector<4xf64>
  %r32 = call @neg_Bk(%aBk, %bBk, %x) : (tensor<4xf64, #Bk>, tensor<4xf64, #Bk>, tensor<4xf64>) -> tensor<4xf64>
  %v32 = vector.transfer_read %r32[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v32 : vector<4xf64>
  %r33 = call @prod_Dn(%aDn, %bDn, %x) : (tensor<4xf64, #Dn>, tensor<4xf64, #Dn>, tensor<4xf64>) -> tensor<4xf64>
  %v33 = vector.transfer_read %r33[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v33 : vector<4xf64>
  %r34 = call @prod_Cp(%aCp, %bCp, %x) : (tensor<4xf64, #Cp>, tensor<4xf64, #Cp>, tensor<4xf64>) -> tensor<4xf64>
  %v34 = vector.transfer_read %r34[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v34 : vector<4xf64>
  %r35 = call @prod_Nu(%aNu, %bNu, %x) : (tensor<4xf64, #Nu>, tensor<4xf64, #Nu>, tensor<4xf64>) -> tensor<4xf64>
  %v35 = vector.transfer_read %r35[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v35 : vector<4xf64>
  %r36 = call @prod_Bk(%aBk, %bBk, %x) : (tensor<4xf64, #Bk>, tensor<4xf64, #Bk>, tensor<4xf64>) -> tensor<4xf64>
  %v36 = vector.transfer_read %r36[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v36 : vector<4xf64>
  %r37 = call @least_Dn(%aDn, %bDn, %x) : (tensor<4xf64, #Dn>, tensor<4xf64, #Dn>, tensor<4xf64>) -> tensor<4xf64>
  %v37 = vector.transfer_read %r37[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v37 : vector<4xf64>
  %r38 = call @least_Cp(%aCp, %bCp, %x) : (tensor<4xf64, #Cp>, tensor<4xf64, #Cp>, tensor<4xf64>) -> tensor<4xf64>
  %v38 = vector.transfer_read %r38[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v38 : vector<4xf64>
  %r39 = call @least_Nu(%aNu, %bNu, %x) : (tensor<4xf64, #Nu>, tensor<4xf64, #Nu>, tensor<4xf64>) -> tensor<4xf64>
  %v39 = vector.transfer_read %r39[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v39 : vector<4xf64>
  %r40 = call @least_Bk(%aBk, %bBk, %x) : (tensor<4xf64, #Bk>, tensor<4xf64, #Bk>, tensor<4xf64>) -> tensor<4xf64>
  %v40 = vector.transfer_read %r40[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v40 : vector<4xf64>
  %r41 = call @chosen_Dn(%aDn, %bDn, %x) : (tensor<4xf64, #Dn>, tensor<4xf64, #Dn>, tensor<4xf64>) -> tensor<4xf64>
  %v41 = vector.transfer_read %r41[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v41 : vector<4xf64>
  %r42 = call @chosen_Cp(%aCp, %bCp, %x) : (tensor<4xf64, #Cp>, tensor<4xf64, #Cp>, tensor<4xf64>) -> tensor<4xf64>
  %v42 = vector.transfer_read %r42[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v42 : vector<4xf64>
  %r43 = call @chosen_Nu(%aNu, %bNu, %x) : (tensor<4xf64, #Nu>, tensor<4xf64, #Nu>, tensor<4xf64>) -> tensor<4xf64>
  %v43 = vector.transfer_read %r43[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v43 : vector<4xf64>
  %r44 = call @chosen_Bk(%aBk, %bBk, %x) : (tensor<4xf64, #Bk>, tensor<4xf64, #Bk>, tensor<4xf64>) -> tensor<4xf64>
  %v44 = vector.transfer_read %r44[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v44 : vector<4xf64>
  return
}
