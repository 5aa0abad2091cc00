// Encodings that published documents show.

// --- sparse vector
func.func private @f(tensor<?xf32, #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>>)
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

// --- sorted COO
func.func private @f(tensor<?x?xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>>)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton) }>

// --- batched COO, of another rank
func.func private @f(tensor<10x10xf32, #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : compressed(nonunique, high), k : singleton) }>>)
// ^ error E0201 29-38: the tensor has 2 dimensions, its encoding 3
// ^ warning W0101 101-128: `compressed(nonunique, high)` is a historic spelling of `loose_compressed(nonunique)`
// ^ fix: loose_compressed(nonunique)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : dense, d1 : loose_compressed(nonunique), d2 : singleton) }>

// --- batched COO
func.func private @f(tensor<10x10x10xf32, #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : compressed(nonunique, high), k : singleton) }>>)
// ^ warning W0101 104-131: `compressed(nonunique, high)` is a historic spelling of `loose_compressed(nonunique)`
// ^ fix: loose_compressed(nonunique)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : dense, d1 : loose_compressed(nonunique), d2 : singleton) }>

// --- CSR
func.func private @f(tensor<100x100xbf16, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- DCSC
func.func private @f(tensor<8x8xf64, #sparse_tensor.encoding<{ map = (i, j) -> (j : compressed, i : compressed), posWidth = 32, crdWidth = 8 }>>)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : compressed, d0 : compressed), posWidth = 32, crdWidth = 8 }>

// --- BSR
func.func private @f(tensor<20x30xf32, #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense) }>>)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 3 : compressed, d0 mod 2 : dense, d1 mod 3 : dense) }>

// --- ELL
func.func private @f(tensor<?x?xf64, #sparse_tensor.encoding<{ map = [c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed) }>>)
// ^ hint H0103 70-129: MLIR 22 verifies maps with symbols and crashes when it converts
// ^ is #sparse_tensor.encoding<{ map = [s0](d0, d1) -> (d0 * (s0 * 3) : dense, d0 : dense, d1 : compressed) }>

// --- CSR slice
func.func private @f(tensor<?x?xf64, #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 4, 1)>, j : #sparse_tensor<slice(0, 8, ?)>) -> (i : dense, j : compressed) }>>)
// ^ is #sparse_tensor.encoding<{ map = (d0 : #sparse_tensor<slice(0, 4, 1)>, d1 : #sparse_tensor<slice(0, 8, ?)>) -> (d0 : dense, d1 : compressed) }>

// --- 2:4
func.func private @f(tensor<?x?xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : block2_4), crdWidth = 2 }>>)
// ^ warning W0101 124-132: `block2_4` is a historic spelling of `structured[2, 4]`
// ^ fix: structured[2, 4]
// ^ hint H0102 146-147: not MLIR 22: it wants a crdWidth of 8 here
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 floordiv 4 : dense, d1 mod 4 : structured[2, 4]), crdWidth = 2 }>
