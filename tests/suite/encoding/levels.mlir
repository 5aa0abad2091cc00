// Level formats and their properties.

// --- every format
#A = #sparse_tensor.encoding<{ map = (b, i, j, k) -> (b : batch, i : dense, j : compressed(nonunique), k : singleton(soa)) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1, d2, d3) -> (d0 : batch, d1 : dense, d2 : compressed(nonunique), d3 : singleton(soa)) }>
#B = #sparse_tensor.encoding<{ map = (i) -> (i : loose_compressed(nonordered, nonunique)) }>
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : loose_compressed(nonunique, nonordered)) }>

// --- unknown format, several at once
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dens, j : sparse) }>
// ^ error E0106 53-57: unknown level format `dens`
// ^ fix: dense
// ^ error E0106 63-69: unknown level format `sparse`
// ^ fix: compressed
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : strange, j : Compressed) }>
// ^ error E0106 53-60: unknown level format `strange`
// ^ error E0106 66-76: unknown level format `Compressed`
// ^ fix: compressed

// --- a format in parentheses
#A = #sparse_tensor.encoding<{ map = (i) -> (i : (compressed)) }>
// ^ error E0129 50-62: parentheses around a level type are the notation of the Universal Sparse Tensor
// ^ fix: compressed

// --- a format in quotes
#A = #sparse_tensor.encoding<{ map = (i) -> (i : "compressed") }>
// ^ warning W0101 50-62: `"compressed"` is a historic spelling of `compressed`
// ^ fix: compressed
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

// --- empty parentheses
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed()) }>
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

// --- a property in quotes
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed("nonunique")) }>
// ^ error E0107 61-72: unknown level property `nonunique`
// ^ fix: nonunique

// --- a misspelt property
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(nonuniq)) }>
// ^ error E0107 61-68: unknown level property `nonuniq`
// ^ fix: nonunique

// --- a default as property
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(ordered, nonunique)) }>
// ^ error E0107 61-68: unknown level property `ordered`
// ^ fix: (nonunique)

// --- properties in brackets
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed[nonunique]) }>
// ^ error E0109 60-71: `compressed` takes its properties in parentheses, not in brackets
// ^ fix: compressed(nonunique)

// --- properties without parentheses
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed nonunique) }>
// ^ error E0107 61-70: level properties stand in parentheses
// ^ fix: compressed(nonunique)

// --- a comma behind the properties
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(nonunique,)) }>
// ^ error E0001 71-72: expected a level property, found `)`

// --- properties that do not apply
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense(nonunique), j : batch(nonordered)) }>
// ^ error E0108 59-68: `nonunique` does not apply to `dense` levels
// ^ fix: 
// ^ error E0117 75-92: batch levels come first
// ^ fix: dense
// ^ error E0108 81-91: `nonordered` does not apply to `batch` levels
// ^ fix: 

// --- soa on a compressed level
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique, soa), j : singleton(soa)) }>
// ^ error E0108 75-78: `soa` does not apply to `compressed` levels
// ^ fix: (nonunique)

// --- a property of a structured level
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4](soa)) }>
// ^ error E0108 109-112: `soa` does not apply to `structured` levels
// ^ fix: 

// --- one size
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2]) }>
// ^ error E0109 92-105: `structured` takes exactly two sizes, `[n, m]`; 1 given

// --- three sizes
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4, 6]) }>
// ^ error E0109 92-111: `structured` takes exactly two sizes, `[n, m]`; 3 given

// --- sizes in parentheses
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured(2, 4)) }>
// ^ error E0109 92-108: `structured` takes its sizes in brackets: `structured[n, m]`
// ^ fix: structured[2, 4]

// --- n above m
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[5, 4]) }>
// ^ error E0109 103-104: 5 of 4 is impossible: n is at most m

// --- a negative size
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[-1, 4]) }>
// ^ error E0109 103-105: `-1` is not a size: a whole number is wanted

// --- no comma between the sizes
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2 4]) }>
// ^ error E0001 105-106: expected `,`, found `4`
// ^ fix: ,

// --- sizes that are no numbers
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[a, b]) }>
// ^ error E0109 103-104: `a` is not a size: a whole number is wanted

// --- sizes that wrap around in MLIR
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 258 : dense, j mod 258 : structured[257, 258]) }>
// ^ error E0109 112-115: a block of 258 is too large: MLIR keeps n and m in 8 bits, up to 255

// --- nothing of every four
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[0, 4]) }>
// ^ error E0109 103-104: a structured level that keeps 0 entries of every block stores nothing

// --- levels of nnz alone
#A = #sparse_tensor.encoding<{ map = (i, j) -> (j - i : compressed, i : range) }>
// ^ error E0128 73-78: `range` is a level format of nnz's notation; MLIR has none such
#B = #sparse_tensor.encoding<{ map = (i) -> (i : delta[2]) }>
// ^ error E0128 50-55: `delta` is a level format of nnz's notation; MLIR has none such
func.func private @f(tensor<?x?xf64, DIAI>)
// ^ error E0128 38-42: `range` is a level format of nnz's notation; MLIR has none such

// --- counts of nnz alone
#A = #sparse_tensor.encoding<{ map = (i, j) -> (#i : dense, i : dense, j : compressed) }>
// ^ error E0128 49-51: `#i` counts, which is nnz's notation; MLIR has none such

// --- bitmaps, hash tables and runs of nnz alone
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : hashed, j : bitmap) }>
// ^ error E0128 53-59: `hashed` is a level format of nnz's notation; MLIR has none such
// ^ error E0128 65-71: `bitmap` is a level format of nnz's notation; MLIR has none such
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : run_length) }>
// ^ error E0128 64-74: `run_length` is a level format of nnz's notation; MLIR has none such

// --- a misspelt property hides nothing else
#H = #sparse_tensor.encoding<{ map = (i, j) -> (i : singleton, j : compressed(unordered)) }>
// ^ error E0115 53-62: a singleton level needs a compressed level above it
// ^ fix: compressed
// ^ error E0107 79-88: unknown level property `unordered`
// ^ fix: nonordered

// --- a misspelt format hides nothing else
#F = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compresed) }>
// ^ error E0106 64-73: unknown level format `compresed`
// ^ fix: compressed
func.func private @f(tensor<8x9x4xf64, #F>)
// ^ error E0201 29-38: the tensor has 3 dimensions, its encoding 2
