// Forms of 2020 to 2024: a warning and a fix each.

// --- 2020
func.func private @f(sparse_tensor<32x16xf32, DxS, (i,j)->(j,i), i32, index>, sparse_tensor<32x16xf32, DxS>, !sparse_tensor<8xf64, S>)
// ^ warning W0101 22-77: this is the sparse tensor type of the RFC of 2020
// ^ fix: tensor<32x16xf32, #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed), posWidth = 32 }>>
// ^ warning W0101 79-108: this is the sparse tensor type of the RFC of 2020
// ^ fix: tensor<32x16xf32, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>
// ^ warning W0101 110-134: this is the sparse tensor type of the RFC of 2020
// ^ fix: tensor<8xf64, #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>>

// --- 2020, broken
func.func private @f(sparse_tensor<32x16xf32, DxQ>, sparse_tensor<32x16xf32, DxS, (i,j)->(j,i), i33>, sparse_tensor<32x16xf32, D>)
// ^ error E0106 47-50: `DxQ` does not say how the levels are stored
// ^ error E0104 97-100: `i33` is not a type of positions or coordinates
// ^ error E0201 128-129: 1 level described for 2 dimensions

// --- 2021
#A = #sparse_tensor.encoding<{ dimLevelType = [ "dense", "compressed" ] }>
// ^ warning W0101 32-44: `dimLevelType` is a historic form of `map`
// ^ fix: #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- 2021, all keys
#A = #sparse_tensor.encoding<{ dimLevelType = [ "dense", "compressed" ], dimOrdering = affine_map<(r, c) -> (c, r)>, pointerBitWidth = 32, indexBitWidth = 16 }>
// ^ warning W0101 32-44: `dimLevelType` is a historic form of `map`
// ^ fix: #sparse_tensor.encoding<{ map = (r, c) -> (c : dense, r : compressed), posWidth = 32, crdWidth = 16 }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed), posWidth = 32, crdWidth = 16 }>

// --- 2021, widths with a map
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), pointerBitWidth = 32, indexBitWidth = 16 }>
// ^ warning W0101 77-92: `pointerBitWidth` is now called `posWidth`
// ^ fix: posWidth
// ^ warning W0101 99-112: `indexBitWidth` is now called `crdWidth`
// ^ fix: crdWidth
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 16 }>

// --- 2022, higher ordering
#A = #sparse_tensor.encoding<{ dimLevelType = [ "dense", "dense", "compressed" ], dimOrdering = affine_map<(i, j) -> (i, j)>, higherOrdering = affine_map<(i, j)[c] -> (c * 4 * i, i, j)> }>
// ^ warning W0101 32-44: `dimLevelType` is a historic form of `map`
// ^ fix: #sparse_tensor.encoding<{ map = [c](i, j) -> (i * (c * 4) : dense, i : dense, j : compressed) }>
// ^ hint H0103 97-125: MLIR 22 verifies maps with symbols and crashes when it converts
// ^ is #sparse_tensor.encoding<{ map = [s0](d0, d1) -> (d0 * (s0 * 4) : dense, d0 : dense, d1 : compressed) }>

// --- 2022, level names
#A = #sparse_tensor.encoding<{ dimLevelType = [ "compressed-nu", "singleton-nu-no", "singleton-no" ] }>
// ^ warning W0101 32-44: `dimLevelType` is a historic form of `map`
// ^ fix: #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique, nonordered), k : singleton(nonordered)) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : compressed(nonunique), d1 : singleton(nonunique, nonordered), d2 : singleton(nonordered)) }>

// --- 2023
#A = #sparse_tensor.encoding<{ lvlTypes = [ "compressed-hi-nu", "singleton" ], dimToLvl = affine_map<(i, j) -> (j, i)>, posWidth = 8 }>
// ^ warning W0101 32-40: `lvlTypes` is a historic form of `map`
// ^ fix: #sparse_tensor.encoding<{ map = (i, j) -> (j : loose_compressed(nonunique), i : singleton), posWidth = 8 }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : loose_compressed(nonunique), d0 : singleton), posWidth = 8 }>

// --- 2023, in the singular
#A = #sparse_tensor.encoding<{ lvlType = [ "compressed" ] }>
// ^ warning W0101 32-39: `lvlType` is a historic form of `map`
// ^ fix: #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

// --- 2023, slices
#A = #sparse_tensor.encoding<{ lvlTypes = [ "dense", "compressed" ], dimSlices = [ (0, 4, 1), (0, ?, 1) ] }>
// ^ warning W0101 32-40: `lvlTypes` is a historic form of `map`
// ^ fix: #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 4, 1)>, j : #sparse_tensor<slice(0, ?, 1)>) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0 : #sparse_tensor<slice(0, 4, 1)>, d1 : #sparse_tensor<slice(0, ?, 1)>) -> (d0 : dense, d1 : compressed) }>

// --- 2023, 2:4
#A = #sparse_tensor.encoding<{ lvlTypes = [ "dense", "compressed24" ] }>
// ^ warning W0101 32-40: `lvlTypes` is a historic form of `map`
// ^ fix: #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 floordiv 4 : dense, d1 mod 4 : structured[2, 4]) }>

// --- 2023, high
#A = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : compressed(nonunique, high), k : singleton) }>
// ^ warning W0101 67-94: `compressed(nonunique, high)` is a historic spelling of `loose_compressed(nonunique)`
// ^ fix: loose_compressed(nonunique)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : dense, d1 : loose_compressed(nonunique), d2 : singleton) }>
#B = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(high)) }>
// ^ warning W0101 50-66: `compressed(high)` is a historic spelling of `loose_compressed`
// ^ fix: loose_compressed
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : loose_compressed) }>

// --- 2024, block2_4
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : block2_4), crdWidth = 8 }>
// ^ warning W0101 92-100: `block2_4` is a historic spelling of `structured[2, 4]`
// ^ fix: structured[2, 4]
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 floordiv 4 : dense, d1 mod 4 : structured[2, 4]), crdWidth = 8 }>

// --- never legal, but written
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : 2out4) }>
// ^ warning W0101 92-97: `2out4` is a historic spelling of `structured[2, 4]`
// ^ fix: structured[2, 4]
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 floordiv 4 : dense, d1 mod 4 : structured[2, 4]) }>
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : n_out_of_m[2, 4]) }>
// ^ warning W0101 92-108: `n_out_of_m[2, 4]` is a historic spelling of `structured[2, 4]`
// ^ fix: structured[2, 4]
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 floordiv 4 : dense, d1 mod 4 : structured[2, 4]) }>

// --- suffixes in a map
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed-nu, j : singleton) }>
// ^ warning W0101 53-66: `compressed-nu` is a historic spelling of `compressed(nonunique)`
// ^ fix: compressed(nonunique)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton) }>
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed_nu, j : singleton_no) }>
// ^ warning W0101 53-66: `compressed_nu` is a historic spelling of `compressed(nonunique)`
// ^ fix: compressed(nonunique)
// ^ warning W0101 72-84: `singleton_no` is a historic spelling of `singleton(nonordered)`
// ^ fix: singleton(nonordered)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(nonordered)) }>

// --- an unknown level name
#A = #sparse_tensor.encoding<{ dimLevelType = [ "dense", "compresed" ] }>
// ^ warning W0101 32-44: `dimLevelType` is a historic form of `map`
// ^ error E0106 59-68: unknown level format `compresed`
// ^ fix: compressed

// --- too few level names
#A = #sparse_tensor.encoding<{ dimLevelType = [ "dense" ], dimOrdering = affine_map<(i, j) -> (j, i)> }>
// ^ error E0113 49-56: 1 level type for an ordering of 2 levels

// --- old and new together
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), dimLevelType = [ "dense", "compressed" ] }>
// ^ error E0101 77-89: a map already says what this historic key says

// --- an ordering alone
#A = #sparse_tensor.encoding<{ dimOrdering = affine_map<(i, j) -> (j, i)> }>
// ^ error E0102 6-77: an encoding needs a map

// --- an order that is no affine map
#A = #sparse_tensor.encoding<{ lvlTypes = ["dense", "compressed"], dimOrdering = [1, 0] }>
// ^ error E0102 82-88: `dimOrdering` is an affine map
// ^ fix: affine_map<(d0, d1) -> (d1, d0)>

// --- an order that says nothing
#A = #sparse_tensor.encoding<{ lvlTypes = ["dense", "compressed"], dimToLvl = 5 }>
// ^ error E0102 79-80: `dimToLvl` is an affine map

// --- a misspelt affine map
#A = #sparse_tensor.encoding<{ lvlTypes = ["dense", "compressed"], dimOrdering = affin_map<(i, j) -> (j, i)> }>
// ^ error E0102 82-109: `dimOrdering` is an affine map

// --- a format that only maps have
#A = #sparse_tensor.encoding<{ lvlTypes = ["dense", "range"] }>
// ^ error E0106 54-59: `range` was no level type of the historic form

// --- functions and constants of 2021, operations of 2022
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func @helper(%x: f64) -> f64 {
// ^ warning W0107 1-5: `func` is now `func.func`
// ^ fix: func.func
  return %x : f64
}
func private @main(%A: tensor<4x4xf64, #CSR>) -> f64 {
// ^ warning W0107 1-5: `func` is now `func.func`
// ^ fix: func.func
  %0 = constant 0.0 : f64
// ^ warning W0107 8-16: `constant` is now `arith.constant`
// ^ fix: arith.constant
  %c1 = constant 1 : index
// ^ warning W0107 9-17: `constant` is now `arith.constant`
// ^ fix: arith.constant
  %p = sparse_tensor.pointers %A, %c1 : tensor<4x4xf64, #CSR> to memref<?xindex>
// ^ warning W0107 8-30: `sparse_tensor.pointers` is now `sparse_tensor.positions`
  sparse_tensor.release %A : tensor<4x4xf64, #CSR>
// ^ warning W0107 3-24: `sparse_tensor.release` is now `bufferization.dealloc_tensor`
// ^ fix: bufferization.dealloc_tensor
  return %0 : f64
}

// --- tensors without data, of 2022
func.func @f(%n: index) -> tensor<?x4xf64> {
  %0 = linalg.init_tensor [%n, 4] : tensor<?x4xf64>
// ^ warning W0107 8-26: `linalg.init_tensor` is now `tensor.empty`
// ^ fix: tensor.empty(%n)
  return %0 : tensor<?x4xf64>
}

// --- 2021, a comma is missing
#A = #sparse_tensor.encoding<{ dimLevelType = ["dense" "compressed"] }>
// ^ error E0001 56-68: expected `,`, found `"compressed"`
// ^ fix: ,

// --- 2021, a dimension twice
#A = #sparse_tensor.encoding<{ lvlTypes = ["dense", "compressed"], dimOrdering = affine_map<(i, j) -> (i, i)> }>
// ^ error E0119 82-110: `i` is stored twice and `j` by no level

// --- 2021, the name of the map is missing
#A = #sparse_tensor.encoding<{ lvlTypes = ["dense", "compressed"], dimOrdering = (i, j) -> (j, i) }>
// ^ error E0001 82-83: the order of a historic form stands in `affine_map<...>`
// ^ fix: affine_map<
// ^ fix: >

// --- the sizes of a type that says them are no operands
func.func @init() {
  %0 = sparse_tensor.init [4, 4] : tensor<4x4xf64>
// ^ warning W0107 8-26: `sparse_tensor.init` is now `tensor.empty`
// ^ fix: tensor.empty()
  std.return
// ^ warning W0107 3-13: `std.return` is now `return`
// ^ fix: return
}
