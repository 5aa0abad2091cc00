// What the levels must obey together.

// --- a singleton first
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : singleton, j : compressed) }>
// ^ error E0115 53-62: a singleton level needs a compressed level above it
// ^ fix: compressed

// --- a singleton below dense, batch and structured
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : singleton) }>
// ^ error E0115 64-73: a singleton level needs a compressed level above it
// ^ fix: compressed(nonunique)
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : batch, j : singleton) }>
// ^ error E0115 64-73: a singleton level needs a compressed level above it
// ^ fix: compressed(nonunique)
#C = #sparse_tensor.encoding<{ map = (i, j) -> (i : structured[2, 4], j : singleton) }>
// ^ error E0118 53-69: a structured level is the innermost one
// ^ error E0115 75-84: a singleton level needs a compressed level above it
// ^ fix: compressed(nonunique)

// --- mixed layouts
#A = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed(nonunique), j : singleton(soa, nonunique), k : singleton) }>
// ^ error E0116 114-123: all singletons of one run have `soa`, or none of them
// ^ fix: singleton(soa)

// --- batch below dense
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : batch) }>
// ^ error E0117 64-69: batch levels come first
// ^ fix: dense

// --- batch around a level
#A = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : batch, j : compressed, k : batch) }>
// ^ error E0117 83-88: batch levels come first
// ^ fix: dense

// --- structured not last
#A = #sparse_tensor.encoding<{ map = (i, j) -> (j floordiv 4 : dense, j mod 4 : structured[2, 4], i : dense) }>
// ^ error E0118 81-97: a structured level is the innermost one

// --- structured below sparse levels
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
// ^ error E0118 53-63: all levels above a structured one are dense
// ^ fix: dense
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : batch, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
// ^ error E0118 53-58: all levels above a structured one are dense
// ^ fix: dense

// --- structured of another block
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 2 : dense, j mod 2 : structured[2, 4]) }>
// ^ error E0118 82-89: `structured[2, 4]` needs a dimension blocked by 4: `j floordiv 4` above, `j mod 4` here

// --- structured without a block
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : structured[2, 4]) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : structured[2, 4]) }>

// --- structured and a second block
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 4 : dense, i mod 4 : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 floordiv 4 : dense, d0 mod 4 : dense, d1 floordiv 4 : dense, d1 mod 4 : structured[2, 4]) }>

// --- structured and a block of another size
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, i mod 2 : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
// ^ error E0118 49-61: with `structured[2, 4]` every block is of 4
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, i mod 2 : dense, j : structured[2, 4]) }>
// ^ error E0118 49-61: with `structured[2, 4]` every block is of 4

// --- COO whose rows hold one entry
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : singleton) }>
// ^ warning W0103 53-63: without `nonunique`, each `i` has at most one entry
// ^ fix: compressed(nonunique)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : singleton) }>

// --- duplicates above a compressed level
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : compressed) }>
// ^ warning W0104 53-74: duplicates of `i` each get a segment of their own below
// ^ fix: compressed
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : compressed) }>

// --- two segments
#A = #sparse_tensor.encoding<{ map = (i, j, k, l) -> (i : compressed(nonunique), j : singleton, k : compressed(nonunique), l : singleton) }>
// ^ hint H0103 101-122: MLIR 22 prints two COO segments wrongly
// ^ is #sparse_tensor.encoding<{ map = (d0, d1, d2, d3) -> (d0 : compressed(nonunique), d1 : singleton, d2 : compressed(nonunique), d3 : singleton) }>

// --- dense below a segment
#A = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed(nonunique), j : singleton, k : dense) }>
// ^ hint H0103 98-103: MLIR 22 crashes or scrambles values on a level below a COO segment
// ^ is #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : compressed(nonunique), d1 : singleton, d2 : dense) }>

// --- several rules at once
#A = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : singleton, j : batch, k : structured[2, 4]), implicitVal = 1.0, posWidth = 2 }>
// ^ error E0115 56-65: a singleton level needs a compressed level above it
// ^ fix: dense
// ^ error E0117 71-76: batch levels come first
// ^ fix: dense
// ^ error E0123 115-118: entries that are not stored are zero
// ^ error E0104 131-132: posWidth cannot be 2
// ^ fix: 8

// --- one dimension more than the name of the format has
#CSR = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : compressed) }>
// ^ error E0119 47-48: dimension `k` is stored by no level
// ^ fix: 
// ^ fix: , k : compressed

// --- divisors that are no numbers: each name is told once
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv b : dense, j floordiv c : compressed, i mod b : dense, j mod c : dense) }>
// ^ error E0111 60-61: `b` is not declared in this map, and a divisor is a number
// ^ error E0111 82-83: `c` is not declared in this map, and a divisor is a number

// --- a dimension beside a structured level, which has only dense levels above it
#S = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
// ^ error E0119 45-46: dimension `k` is stored by no level
// ^ fix: k : dense, 

// --- a comma is missing between two keys
#W = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = 32 crdWidth = 32 }>
// ^ error E0001 77-85: expected `,`, found `crdWidth`
// ^ fix: ,
