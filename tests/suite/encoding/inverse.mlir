// How dimensions follow from levels.

// --- permutation
#A = #sparse_tensor.encoding<{ map = (i, j, k) -> (k : dense, i : compressed, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d2 : dense, d0 : compressed, d1 : compressed) }>

// --- blocks
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 3 : compressed, d0 mod 2 : dense, d1 mod 3 : dense) }>

// --- the inverse written out
#A = #sparse_tensor.encoding<{ map = {ib, jb, ii, jj}(i = ib * 2 + ii, j = jb * 3 + jj) -> (ib = i floordiv 2 : dense, jb = j floordiv 3 : compressed, ii = i mod 2 : dense, jj = j mod 3 : dense) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 3 : compressed, d0 mod 2 : dense, d1 mod 3 : dense) }>

// --- the inverse in another order
#A = #sparse_tensor.encoding<{ map = {ib, jb, ii, jj}(i = ii + ib * 2, j = jj + 3 * jb) -> (ib = i floordiv 2 : dense, jb = j floordiv 3 : compressed, ii = i mod 2 : dense, jj = j mod 3 : dense) }>
// ^ hint H0102 59-70: not MLIR 22: it wants this inverse in another form
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 3 : compressed, d0 mod 2 : dense, d1 mod 3 : dense) }>

// --- a wrong inverse
#A = #sparse_tensor.encoding<{ map = {a, b}(i = b, j = a) -> (a = i : dense, b = j : compressed) }>
// ^ error E0122 49-50: this is not how `i` follows from the levels
// ^ fix: a
// ^ error E0122 56-57: this is not how `j` follows from the levels
// ^ fix: b

// --- wrong factors
#A = #sparse_tensor.encoding<{ map = {ib, jb, ii, jj}(i = ib * 3 + ii, j = jb * 2 + jj) -> (ib = i floordiv 2 : dense, jb = j floordiv 3 : compressed, ii = i mod 2 : dense, jj = j mod 3 : dense) }>
// ^ error E0122 59-70: this is not how `i` follows from the levels
// ^ fix: ib * 2 + ii
// ^ error E0122 76-87: this is not how `j` follows from the levels
// ^ fix: jb * 3 + jj

// --- only some of the inverse
#A = #sparse_tensor.encoding<{ map = {a, b}(i = a, j) -> (a = i : dense, b = j : compressed) }>
// ^ hint H0102 52-53: not MLIR 22: it wants this inverse in another form
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- a dropped dimension
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense) }>
// ^ error E0119 42-43: dimension `j` is stored by no level
// ^ fix: , j : compressed

// --- a dimension dropped beside a block
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, i mod 2 : compressed) }>
// ^ error E0119 42-43: dimension `j` is stored by no level
// ^ fix: , j : compressed

// --- a dimension twice
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, i : compressed) }>
// ^ error E0119 60-61: `i` is stored twice and `j` by no level
// ^ fix: j

// --- a level too many
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed, i : dense) }>
// ^ error E0120 76-77: `i` adds nothing: the levels above it determine it

// --- the same mod twice
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense, i mod 2 : dense) }>
// ^ error E0120 104-111: `i mod 2` adds nothing: the levels above it determine it

// --- a constant level
#A = #sparse_tensor.encoding<{ map = (i, j) -> (0 : dense, i : dense, j : compressed) }>
// ^ error E0120 49-50: `0` adds nothing: the levels above it determine it

// --- a floordiv without its mod
#A = #sparse_tensor.encoding<{ map = (i) -> (i floordiv 2 : compressed) }>
// ^ error E0119 39-40: `i mod 2` is stored by no level, so `i` is lost
// ^ fix: , i mod 2 : dense

// --- a floordiv without its mod beside a block
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense) }>
// ^ error E0119 42-43: `j mod 3` is stored by no level, so `j` is lost
// ^ fix: , j mod 3 : dense

// --- blocks of two sizes
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j : compressed, i mod 3 : dense) }>
// ^ error E0121 87-94: `i mod 3` does not fit `i floordiv 2`
// ^ fix: i mod 2

// --- only the rows blocked
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense) }>
// ^ hint H0103 38-103: MLIR 22 infers a wrong inverse for this map, or crashes
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 floordiv 2 : dense, d1 : compressed, d0 mod 2 : dense) }>

// --- mod above floordiv
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i mod 2 : dense, i floordiv 2 : dense, j : compressed) }>
// ^ hint H0102 38-103: not MLIR 22: it cannot invert this map
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 mod 2 : dense, d0 floordiv 2 : dense, d1 : compressed) }>

// --- nested blocks
#A = #sparse_tensor.encoding<{ map = (i) -> (i floordiv 4 : compressed, i mod 4 floordiv 2 : dense, i mod 2 : dense) }>
// ^ hint H0102 38-117: not MLIR 22: it cannot invert this map
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 floordiv 4 : compressed, (d0 mod 4) floordiv 2 : dense, d0 mod 2 : dense) }>

// --- diagonals
#A = #sparse_tensor.encoding<{ map = (i, j) -> (j - i : compressed, i : dense) }>
// ^ hint H0102 38-79: not MLIR 22: it cannot invert this map
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 - d0 : compressed, d0 : dense) }>

// --- skewed diagonals and an offset
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i + j + 3 : compressed, i : dense) }>
// ^ hint H0102 38-83: not MLIR 22: it cannot invert this map
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 + d1 + 3 : compressed, d0 : dense) }>

// --- diagonals of blocks
#A = #sparse_tensor.encoding<{ map = (i, j) -> (j floordiv 2 - i floordiv 2 : compressed, i floordiv 2 : dense, i mod 2 : dense, j mod 2 : dense) }>
// ^ hint H0102 38-146: not MLIR 22: it cannot invert this map
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 floordiv 2 - d0 floordiv 2 : compressed, d0 floordiv 2 : dense, d0 mod 2 : dense, d1 mod 2 : dense) }>

// --- a general inverse offered
#A = #sparse_tensor.encoding<{ map = {a, b}(i = a + b, j = b) -> (a = i - j : dense, b = j : compressed) }>
// ^ hint H0102 38-105: not MLIR 22: it cannot invert this map
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 - d1 : dense, d1 : compressed) }>

// --- every second place
#A = #sparse_tensor.encoding<{ map = (i) -> (i * 2 : dense) }>
// ^ error E0121 39-40: the levels do not determine `i`

// --- every second place, inverse given
#A = #sparse_tensor.encoding<{ map = {a}(i = a floordiv 2) -> (a = i * 2 : dense) }>
// ^ hint H0102 38-82: not MLIR 22: it cannot invert this map
// ^ is #sparse_tensor.encoding<{ map = {a}(d0 = a floordiv 2) -> (a = d0 * 2 : dense) }>

// --- only a sum
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i + j : dense) }>
// ^ error E0121 39-40: the levels do not determine `i`
// ^ error E0121 42-43: the levels do not determine `j`

// --- ceildiv
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i ceildiv 2 : dense, i mod 2 : dense, j : compressed) }>
// ^ error E0121 49-60: `i ceildiv 2` cannot be taken back: how the dimensions follow from it is unknown

// --- a counter of slices
#A = #sparse_tensor.encoding<{ map = [c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed) }>
// ^ hint H0103 38-97: MLIR 22 verifies maps with symbols and crashes when it converts
// ^ is #sparse_tensor.encoding<{ map = [s0](d0, d1) -> (d0 * (s0 * 3) : dense, d0 : dense, d1 : compressed) }>

// --- an unused symbol
#A = #sparse_tensor.encoding<{ map = [s](i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = [s0](d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- a symbol that hides a dimension
#A = #sparse_tensor.encoding<{ map = [s](i, j) -> (i + s : dense) }>
// ^ error E0119 45-46: dimension `j` is stored by no level
// ^ fix: , j : compressed
