// differs: MLIR 22 starts a reduction from its identity or from the old value, by the format
// `sparse_tensor.reduce` takes stored terms in, onto what a dense result holds; without a term that stays. A result of
// which nobody said what it holds starts from the identity.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
#DCSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
#BSR = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>
#rows = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}

func.func @addf_CSR(%A: tensor<4x4xf64, #CSR>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %start = arith.constant 0.0 : f64
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #CSR>) outs(%y : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.addf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @addf_CSR_anew(%A: tensor<4x4xf64, #CSR>) -> tensor<4xf64> {
  %start = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #CSR>) outs(%e : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.addf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @minimumf_CSR(%A: tensor<4x4xf64, #CSR>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %start = arith.constant 50.0 : f64
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #CSR>) outs(%y : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.minimumf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @minimumf_CSR_anew(%A: tensor<4x4xf64, #CSR>) -> tensor<4xf64> {
  %start = arith.constant 50.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #CSR>) outs(%e : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.minimumf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @addf_CSC(%A: tensor<4x4xf64, #CSC>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %start = arith.constant 0.0 : f64
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #CSC>) outs(%y : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.addf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @addf_CSC_anew(%A: tensor<4x4xf64, #CSC>) -> tensor<4xf64> {
  %start = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #CSC>) outs(%e : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.addf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @minimumf_CSC(%A: tensor<4x4xf64, #CSC>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %start = arith.constant 50.0 : f64
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #CSC>) outs(%y : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.minimumf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @minimumf_CSC_anew(%A: tensor<4x4xf64, #CSC>) -> tensor<4xf64> {
  %start = arith.constant 50.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #CSC>) outs(%e : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.minimumf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @addf_DCSR(%A: tensor<4x4xf64, #DCSR>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %start = arith.constant 0.0 : f64
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #DCSR>) outs(%y : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.addf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @addf_DCSR_anew(%A: tensor<4x4xf64, #DCSR>) -> tensor<4xf64> {
  %start = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #DCSR>) outs(%e : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.addf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @minimumf_DCSR(%A: tensor<4x4xf64, #DCSR>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %start = arith.constant 50.0 : f64
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #DCSR>) outs(%y : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.minimumf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @minimumf_DCSR_anew(%A: tensor<4x4xf64, #DCSR>) -> tensor<4xf64> {
  %start = arith.constant 50.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #DCSR>) outs(%e : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.minimumf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @addf_COO(%A: tensor<4x4xf64, #COO>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %start = arith.constant 0.0 : f64
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #COO>) outs(%y : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.addf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @addf_COO_anew(%A: tensor<4x4xf64, #COO>) -> tensor<4xf64> {
  %start = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #COO>) outs(%e : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.addf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @minimumf_COO(%A: tensor<4x4xf64, #COO>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %start = arith.constant 50.0 : f64
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #COO>) outs(%y : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.minimumf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @minimumf_COO_anew(%A: tensor<4x4xf64, #COO>) -> tensor<4xf64> {
  %start = arith.constant 50.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #COO>) outs(%e : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.minimumf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @addf_BSR(%A: tensor<4x4xf64, #BSR>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %start = arith.constant 0.0 : f64
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #BSR>) outs(%y : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.addf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @addf_BSR_anew(%A: tensor<4x4xf64, #BSR>) -> tensor<4xf64> {
  %start = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %0 = linalg.generic #rows ins(%A : tensor<4x4xf64, #BSR>) outs(%e : tensor<4xf64>) {
    ^bb0(%p: f64, %o: f64):
      %r = sparse_tensor.reduce %o, %p, %start : f64 {
        ^bb0(%x: f64, %z: f64):
          %s = arith.addf %x, %z : f64
          sparse_tensor.yield %s : f64
      }
      linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @main() {
  %f0 = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<[[1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 5.0, 7.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf64>
  %y = arith.constant dense<1000.0> : tensor<4xf64>
  %e = tensor.empty() : tensor<4xf64>
  %aCSR = sparse_tensor.convert %a : tensor<4x4xf64> to tensor<4x4xf64, #CSR>
  %r1 = call @addf_CSR(%aCSR, %y) : (tensor<4x4xf64, #CSR>, tensor<4xf64>) -> tensor<4xf64>
  %v1 = vector.transfer_read %r1[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v1 : vector<4xf64>
  %s1 = call @addf_CSR_anew(%aCSR) : (tensor<4x4xf64, #CSR>) -> tensor<4xf64>
  %w1 = vector.transfer_read %s1[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %w1 : vector<4xf64>
  %r2 = call @minimumf_CSR(%aCSR, %y) : (tensor<4x4xf64, #CSR>, tensor<4xf64>) -> tensor<4xf64>
  %v2 = vector.transfer_read %r2[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v2 : vector<4xf64>
  %s2 = call @minimumf_CSR_anew(%aCSR) : (tensor<4x4xf64, #CSR>) -> tensor<4xf64>
  %w2 = vector.transfer_read %s2[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %w2 : vector<4xf64>
  %aCSC = sparse_tensor.convert %a : tensor<4x4xf64> to tensor<4x4xf64, #CSC>
  %r3 = call @addf_CSC(%aCSC, %y) : (tensor<4x4xf64, #CSC>, tensor<4xf64>) -> tensor<4xf64>
  %v3 = vector.transfer_read %r3[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v3 : vector<4xf64>
  %s3 = call @addf_CSC_anew(%aCSC) : (tensor<4x4xf64, #CSC>) -> tensor<4xf64>
  %w3 = vector.transfer_read %s3[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %w3 : vector<4xf64>
  %r4 = call @minimumf_CSC(%aCSC, %y) : (tensor<4x4xf64, #CSC>, tensor<4xf64>) -> tensor<4xf64>
  %v4 = vector.transfer_read %r4[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v4 : vector<4xf64>
  %s4 = call @minimumf_CSC_anew(%aCSC) : (tensor<4x4xf64, #CSC>) -> tensor<4xf64>
  %w4 = vector.transfer_read %s4[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %w4 : vector<4xf64>
  %aDCSR = sparse_tensor.convert %a : tensor<4x4xf64> to tensor<4x4xf64, #DCSR>
  %r5 = call @addf_DCSR(%aDCSR, %y) : (tensor<4x4xf64, #DCSR>, tensor<4xf64>) -> tensor<4xf64>
  %v5 = vector.transfer_read %r5[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v5 : vector<4xf64>
  %s5 = call @addf_DCSR_anew(%aDCSR) : (tensor<4x4xf64, #DCSR>) -> tensor<4xf64>
  %w5 = vector.transfer_read %s5[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %w5 : vector<4xf64>
  %r6 = call @minimumf_DCSR(%aDCSR, %y) : (tensor<4x4xf64, #DCSR>, tensor<4xf64>) -> tensor<4xf64>
  %v6 = vector.transfer_read %r6[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v6 : vector<4xf64>
  %s6 = call @minimumf_DCSR_anew(%aDCSR) : (tensor<4x4xf64, #DCSR>) -> tensor<4xf64>
  %w6 = vector.transfer_read %s6[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %w6 : vector<4xf64>
  %aCOO = sparse_tensor.convert %a : tensor<4x4xf64> to tensor<4x4xf64, #COO>
  %r7 = call @addf_COO(%aCOO, %y) : (tensor<4x4xf64, #COO>, tensor<4xf64>) -> tensor<4xf64>
  %v7 = vector.transfer_read %r7[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v7 : vector<4xf64>
  %s7 = call @addf_COO_anew(%aCOO) : (tensor<4x4xf64, #COO>) -> tensor<4xf64>
  %w7 = vector.transfer_read %s7[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %w7 : vector<4xf64>
  %r8 = call @minimumf_COO(%aCOO, %y) : (tensor<4x4xf64, #COO>, tensor<4xf64>) -> tensor<4xf64>
  %v8 = vector.transfer_read %r8[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v8 : vector<4xf64>
  %s8 = call @minimumf_COO_anew(%aCOO) : (tensor<4x4xf64, #COO>) -> tensor<4xf64>
  %w8 = vector.transfer_read %s8[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %w8 : vector<4xf64>
  %aBSR = sparse_tensor.convert %a : tensor<4x4xf64> to tensor<4x4xf64, #BSR>
  %r9 = call @addf_BSR(%aBSR, %y) : (tensor<4x4xf64, #BSR>, tensor<4xf64>) -> tensor<4xf64>
  %v9 = vector.transfer_read %r9[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %v9 : vector<4xf64>
  %s9 = call @addf_BSR_anew(%aBSR) : (tensor<4x4xf64, #BSR>) -> tensor<4xf64>
  %w9 = vector.transfer_read %s9[%c0], %f0 : tensor<4xf64>, vector<4xf64>
  vector.print %w9 : vector<4xf64>
  return
}
