// Aliases and whole files.

// --- defined twice
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0125 1-3: `#A` is defined twice
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- a name with a dot
#my.csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0125 1-8: names of aliases have no `.`: such names belong to dialects
// ^ fix: #my_csr
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- names of all kinds
#a-b_$1 = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @f(tensor<4x4xf64, #a-b_$1>)

// --- unused (H0101)
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ hint H0101 1-3: `#A` is never used
// ^ fix: 
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @f(tensor<4x4xf64, #B>)

// --- sections have their own aliases
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @f(tensor<4x4xf64, #A>)
// -----
func.func private @g(tensor<4x4xf64, #A>)
// ^ error E0124 38-40: `#A` is not defined

// --- no value
#A =
// ^ error E0001 5-5: expected the value of the alias, found the end of the line
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- brackets
func.func @f() {
  return
// ^ error E0001 9-9: `}` is missing
// ^ fix: }


// --- other dialects pass
module attributes { a.b = "x" } {
  func.func @f(%a: memref<4x4xf32, strided<[4, 1], offset: ?>>, %p: !llvm.ptr) -> (i32, vector<[4]xf32>) {
    %0:2 = "test.op"(%a) <{s = array<i64: 1, 2>}> ({ ^bb0(%x: f32): "test.end"() : () -> () }) {k = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>} : (memref<4x4xf32, strided<[4, 1], offset: ?>>) -> (i32, vector<[4]xf32>)
    scf.if %0#0 { } else { }
    return %0#0, %0#1 : i32, vector<[4]xf32>
  } loc("x.mlir":1:2)
}
{-# dialect_resources: {} #-}

// --- a trait of 2020
#t = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], sparse = [["S"], ["D"]], sparse_dim_map = [affine_map<(i) -> (i)>], iterator_types = ["parallel"] }
// ^ warning W0108 74-80: `sparse` on a trait has had no effect since 2021
// ^ warning W0108 99-113: `sparse_dim_map` on a trait has had no effect since 2021

// --- operations under old names
func.func @f(%t: tensor<4xf64>, %m: memref<4xf64>) {
  %p = sparse_tensor.pointers %t { dimension = 0 : index } : tensor<4xf64> to memref<?xindex>
// ^ warning W0107 8-30: `sparse_tensor.pointers` is now `sparse_tensor.positions`
// ^ fix: sparse_tensor.positions
// ^ fix: level
  %c = sparse_tensor.indices %t { level = 0 : index } : tensor<4xf64> to memref<?xindex>
// ^ warning W0107 8-29: `sparse_tensor.indices` is now `sparse_tensor.coordinates`
// ^ fix: sparse_tensor.coordinates
  %b = bufferization.to_memref %t : memref<4xf64>
// ^ warning W0107 8-31: `bufferization.to_memref` is now `bufferization.to_buffer`
  sparse_tensor.release %t : tensor<4xf64>
// ^ warning W0107 3-24: `sparse_tensor.release` is now `bufferization.dealloc_tensor`
// ^ fix: bufferization.dealloc_tensor
  return
}

// --- operations whose old form runs
func.func @g(%a: tensor<4x8xf64>, %o: tensor<4x4xf64>, %t: tensor<8xf64>, %u: tensor<?xf64>) {
  %p = linalg.matmul_transpose_b ins(%a, %a : tensor<4x8xf64>, tensor<4x8xf64>) outs(%o : tensor<4x4xf64>) -> tensor<4x4xf64>
// ^ warning W0107 8-33: `linalg.matmul_transpose_b` is now `linalg.matmul`
// ^ fix: linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
  %e = tensor.expand_shape %t [[0, 1]] : tensor<8xf64> into tensor<2x4xf64>
// ^ warning W0107 8-27: `tensor.expand_shape` states its sizes now
// ^ fix:  output_shape [2, 4]
  %f = tensor.expand_shape %u [[0, 1]] : tensor<?xf64> into tensor<?x4xf64>
// ^ warning W0107 8-27: `tensor.expand_shape` states its sizes now
  %g = tensor.expand_shape %t [[0, 1]] output_shape [2, 4] : tensor<8xf64> into tensor<2x4xf64>
  return
}

// --- two aliases on one line
#note = "x"  #W = #sparse_tensor.encoding<{ map = (i) -> (i : densee) }>
// ^ error E0106 63-69: unknown level format `densee`
// ^ fix: dense
