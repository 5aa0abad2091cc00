// Wrong as people get them wrong, each with one error for one mistake and a way out that mends it.

// --- levels without parentheses
#CSR = #sparse_tensor.encoding<{
  map = (d0, d1) -> d0 : dense, d1 : compressed
// ^ error E0001 21-48: the levels stand in parentheses
// ^ fix: (
// ^ fix: )
}>
func.func private @f(tensor<4x4xf64, #CSR>)

// --- level formats alone
#CSR = #sparse_tensor.encoding<{
  map = [dense, compressed]
// ^ error E0001 9-28: a map says of which dimension each level is
// ^ fix: (i, j) -> (i : dense, j : compressed)
}>
func.func private @f(tensor<4x4xf64, #CSR>)

// --- formats in front of dimensions
#CSR = #sparse_tensor.encoding<{
  map = (i, j) -> (dense i, compressed j)
// ^ error E0001 20-25: the format of a level stands behind its `:`, the dimension in front of it
// ^ fix: i :
// ^ fix: dense
// ^ fix: j :
// ^ fix: compressed
}>
func.func private @f(tensor<4x4xf64, #CSR>)

// --- in affine_map
#CSR = #sparse_tensor.encoding<{
  map = affine_map<(d0, d1) -> (d0 : dense, d1 : compressed)>
// ^ error E0001 9-19: the map of an encoding stands without `affine_map<...>`
// ^ fix: 
// ^ fix: 
}>
func.func private @f(tensor<4x4xf64, #CSR>)

// --- operators of C
#BSR = #sparse_tensor.encoding<{
  map = (i, j) -> (i / 2 : dense, j / 2 : compressed, i % 2 : dense, j % 2 : dense)
// ^ error E0129 22-23: MLIR spells `/` as `floordiv`
// ^ fix: floordiv
// ^ error E0129 37-38: MLIR spells `/` as `floordiv`
// ^ fix: floordiv
// ^ error E0129 57-58: MLIR spells `%` as `mod`
// ^ fix: mod
// ^ error E0129 72-73: MLIR spells `%` as `mod`
// ^ fix: mod
}>
func.func private @f(tensor<4x4xf64, #BSR>)

// --- a property behind a blank
#COO = #sparse_tensor.encoding<{
  map = (i, j) -> (i : compressed nonunique, j : Singleton)
// ^ error E0107 35-44: level properties stand in parentheses
// ^ fix: compressed(nonunique)
// ^ error E0106 50-59: unknown level format `Singleton`
// ^ fix: singleton
}>
func.func private @f(tensor<4x4xf64, #COO>)

// --- widths as types, a colon for an equals sign
#CSR = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed),
  posWidth = i32,
// ^ error E0104 14-17: posWidth is a number of bits, not `i32`
// ^ fix: 32
  crdWidth : 32
// ^ error E0001 12-13: a key and its value are joined by `=`, not `:`
// ^ fix: =
}>
func.func private @f(tensor<4x4xf64, #CSR>)

// --- a comma and a brace that are missing
#CSR = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed)
  posWidth = 32
// ^ error E0001 3-11: expected `,`, found `posWidth`
// ^ fix: ,
}>
#CSC = #sparse_tensor.encoding<{
  map = (i, j) -> (j : dense, i : compressed)
>
// ^ error E0001 1-2: expected `}`, found `>`
// ^ fix: }
func.func private @f(tensor<4x4xf64, #CSR>, tensor<4x4xf64, #CSC>)

// --- blocks of other sizes
#BSR = #sparse_tensor.encoding<{
  map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed,
                   i mod 3 : dense, j mod 2 : dense)
// ^ error E0121 20-27: `i mod 3` does not fit `i floordiv 2`
// ^ fix: i mod 2
// ^ error E0119 37-44: `j mod 2` does not fit `j floordiv 3`
// ^ fix: j mod 3
}>
func.func private @f(tensor<6x6xf64, #BSR>)

// --- n and m the wrong way round, and a colon between them
#NM = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[4, 2])
// ^ error E0109 74-75: 4 of 2 is impossible: n is at most m
// ^ fix: structured[2, 4]
}>
#NV = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2:4])
// ^ error E0001 75-76: the parts of a list are separated by `,`
// ^ fix: ,
}>
func.func private @f(tensor<4x4xf64, #NM>, tensor<4x4xf64, #NV>)

// --- another rank
#T = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed, j : compressed, k : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : compressed, d1 : compressed, d2 : compressed) }>
#M = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @f(tensor<4x4xf64, #T>, tensor<4xf64, #M>)
// ^ error E0201 29-36: the tensor has 2 dimensions, its encoding 3
// ^ error E0201 50-55: the tensor has 1 dimension, its encoding 2

// --- names and types that are nearly right
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @f(tensor<4x4xf64, #Csr>, tensor<4x4xf64 #CSR>, tensor<4,4,f64,#CSR>)
// ^ error E0124 38-42: `#Csr` is not defined
// ^ fix: #CSR
// ^ error E0001 60-64: expected `,`, found `#CSR`
// ^ fix: ,
// ^ error E0001 75-76: sizes and the element type are joined by `x`: `tensor<4x4xf64, CSR>`
// ^ fix: x
// ^ fix: x

// --- misspelt words
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dens, j : comprssed(nonuniqe)) }>
// ^ error E0106 53-57: unknown level format `dens`
// ^ fix: dense
// ^ error E0106 63-72: unknown level format `comprssed`
// ^ fix: compressed
// ^ error E0107 73-81: unknown level property `nonuniqe`
// ^ fix: nonunique
#B = #sparse_tensor.encodng<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0124 6-28: there is no attribute `#sparse_tensor.encodng`
// ^ fix: #sparse_tensor.encoding
#C = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWdith = 32 }>
// ^ error E0101 77-85: an encoding has no key `posWdith`
// ^ fix: posWidth
#D = #sparse_tenser.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0124 6-29: there is no attribute `#sparse_tenser.encoding`
// ^ fix: #sparse_tensor.encoding
func.func private @f(tensor<4x4xf64, #A>, tensor<4x4xf64, #B>, tensor<4x4xf64, #C>, tensor<4x4xf64, #D>)

// --- levels that store the wrong dimension
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : singleton) }>
// ^ error E0115 64-73: a singleton level needs a compressed level above it
// ^ fix: compressed(nonunique)
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed) }>
// ^ error E0119 42-43: dimension `j` is stored by no level
// ^ fix: , j : compressed
#C = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, k : compressed) }>
// ^ error E0111 60-61: `k` is not declared in this map
// ^ fix: j
#D = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d0 : compressed) }>
// ^ error E0119 63-65: `d0` is stored twice and `d1` by no level
// ^ fix: d1
func.func private @f(tensor<4x4xf64, #A>, tensor<4x4xf64, #B>, tensor<4x4xf64, #C>, tensor<4x4xf64, #D>)

// --- historic keys, half translated
#A = #sparse_tensor.encoding<{
  dimLevelType = [ "dense", "compresed" ],
// ^ warning W0101 3-15: `dimLevelType` is a historic form of `map`
// ^ error E0106 30-39: unknown level format `compresed`
// ^ fix: compressed
  dimOrdering = affine_map<(i, j) -> (j, i)>,
  pointerBitWidth = 32,
  indexBitwidth = 32
// ^ error E0101 3-16: an encoding has no key `indexBitwidth`
// ^ fix: crdWidth
}>
#B = #sparse_tensor.encoding<{
  lvlTypes = [ "compressed-nu", "singleton" ],
// ^ error E0113 16-44: 2 level types for an ordering of 1 level
  dimToLvl = affine_map<(i, j) -> (j)>
}>
func.func private @f(tensor<4x4xf64, #A>, tensor<4x4xf64, #B>)

// --- an equals sign before a format
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i = dense, j = compressed(nonunique)) }>
// ^ error E0001 51-52: a level and its format are joined by `:`, not `=`
// ^ fix: :
// ^ fix: :

// --- sizes in angle brackets
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured<2, 4>) }>
// ^ error E0001 102-108: sizes stand in brackets, not in `<...>`
// ^ fix: [
// ^ fix: ]

// --- a level written twice
#A = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed, j : compressed, j : compressed) }>
// ^ error E0119 84-85: `j` is stored twice and `k` by no level
// ^ fix: k

// --- blocks whose rest is larger
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 2 : compressed, j mod 4 : dense) }>
// ^ error E0121 87-94: `j mod 4` does not fit `j floordiv 2`
// ^ fix: j mod 2

// --- properties behind historic names
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed_nu(garbage, whatever)) }>
// ^ error E0107 64-71: unknown level property `garbage`
// ^ error E0107 73-81: unknown level property `whatever`
#B = #sparse_tensor.encoding<{ map = (i) -> (i : compressed_nu(nonordered)) }>
// ^ warning W0101 50-75: `compressed_nu(nonordered)` is a historic spelling of `compressed(nonunique, nonordered)`
// ^ fix: compressed(nonunique, nonordered)
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed(nonunique, nonordered)) }>
#C = #sparse_tensor.encoding<{ map = (i) -> (i : compressed_no) }>
// ^ warning W0101 50-63: `compressed_no` is a historic spelling of `compressed(nonordered)`
// ^ fix: compressed(nonordered)
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed(nonordered)) }>
#D = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(high, nonunique, odd)) }>
// ^ error E0107 78-81: unknown level property `odd`
#E = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed_nu, j : singleton_no(soa)) }>
// ^ warning W0101 53-66: `compressed_nu` is a historic spelling of `compressed(nonunique)`
// ^ fix: compressed(nonunique)
// ^ warning W0101 72-89: `singleton_no(soa)` is a historic spelling of `singleton(nonordered, soa)`
// ^ fix: singleton(nonordered, soa)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(nonordered, soa)) }>
#F = #sparse_tensor.encoding<{ map = (i) -> (i : compressed_nu[2]) }>
// ^ error E0109 63-66: `compressed` takes its properties in parentheses, not in brackets

// --- another arrow, no braces, brackets around dimensions, C's division
#A = #sparse_tensor.encoding<{ map = (i, j) => (i : dense, j : compressed) }>
// ^ error E0001 45-47: a map is written with `->`, not with `=>`
// ^ fix: ->
#B = #sparse_tensor.encoding< map = (i, j) -> (i : dense, j : compressed) >
// ^ error E0001 31-34: the keys of an encoding stand in braces: `<{ ... }>`
// ^ fix: { 
// ^ fix:  }
#C = #sparse_tensor.encoding<{ map = [i, j] -> (i : dense, j : compressed) }>
// ^ error E0129 38-44: MLIR writes dimensions in parentheses: brackets hold symbols
// ^ fix: (i, j)
#D = #sparse_tensor.encoding<{ map = (i, j) -> (i // 4 : dense, j : compressed, i mod 4 : dense) }>
// ^ error E0129 51-53: MLIR spells `//` as `floordiv`
// ^ fix: floordiv

// --- a comment within a level is one
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i // 2: the rows
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
  : dense, j : compressed) }>

// --- properties in angles
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed<nonunique>, j : singleton) }>
// ^ error E0001 63-74: properties stand in parentheses, not in `<...>`
// ^ fix: (
// ^ fix: )

// --- encodings without their dialect
#A = sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0124 6-28: an attribute begins with `#`: `#sparse_tensor.encoding`
// ^ fix: #
#B = #sparse.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0124 6-22: there is no dialect `sparse` that has encodings
// ^ fix: #sparse_tensor.encoding
func.func private @f(tensor<4x4xf64, #A>, tensor<4x4xf64, #B>)

// --- formats of whole tensors, and formats that are cut off
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : coo, j : compressed) }>
// ^ error E0106 53-56: unknown level format `coo`
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : comp, j : compressed) }>
// ^ error E0106 53-57: unknown level format `comp`
// ^ fix: compressed

// --- a misspelt alias is not unused as well
// H0101 must not be said of the one that is meant.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @f(tensor<3x3xf64, #CRS>)
// ^ error E0124 38-42: `#CRS` is not defined
// ^ fix: #CSR

// --- a map without its key, levels without dimensions, colons, parentheses
#A = #sparse_tensor.encoding<{ (i, j) -> (i : dense, j : compressed) }>
// ^ error E0001 32-33: a map stands behind its key: `map = ...`
// ^ fix: map = 
#B = #sparse_tensor.encoding<{ map = (i, j) -> (dense, compressed) }>
// ^ error E0001 48-67: a map says of which dimension each level is
// ^ fix: i : 
// ^ fix: j : 
#C = #sparse_tensor.encoding<{ map = (i, j) -> (i dense, j : compressed) }>
// ^ error E0001 51-56: expected `:` between a level and its format, found `dense`
// ^ fix:  :
#D = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique, j : singleton) }>
// ^ error E0001 63-64: `)` is missing behind the properties of the level
// ^ fix: )
#E = #sparse_tensor.encoding<{ dimLevelType = "dense, compressed" }>
// ^ error E0102 47-66: the formats of levels are a list in brackets
// ^ fix: ["dense", "compressed"]
func.func private @f(tensor<4x4xf64, #A>, tensor<4x4xf64, #B>, tensor<4x4xf64, #C>, tensor<4x4xf64, #D>, tensor<4x4xf64, #E>)

// --- an encoding's name without its #, and sizes that are none
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @f(tensor<4x4xf64, A>, tensor<8xx8xf64, #A>)
// ^ error E0126 38-39: there is no format called `A`
// ^ fix: #A
// ^ error E0206 51-52: a size is missing in front of this `x`

// --- the encoding of a dialect that has none
#A = #ANYTHING.encoding<{ map = (i) -> (i : dense) }>
// ^ error E0124 6-24: there is no dialect `ANYTHING` that has encodings
// ^ fix: #sparse_tensor.encoding
#B = #ANYTHING.encoding<{}>
// ^ error E0124 6-24: there is no dialect `ANYTHING` that has encodings
#C = #iree_encoding.encoding<operand_index = 0>
func.func private @f(tensor<4xf64, #A>, tensor<4xf64, #B>)

// --- no `=` behind the name of an encoding
#NoSign #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0001 9-32: expected `=` behind the name of the alias, found `#sparse_tensor.encoding`
// ^ fix:  =
func.func private @no_sign(tensor<4x4xf64, #NoSign>, tensor<8x8xf64, #NoSign>)

// --- a second format of a level
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense : compressed, j : dense) }>
// ^ error E0001 61-71: a level has one format, and `compressed` is a second one
// ^ fix: 
func.func private @a(tensor<4x4xf64, #A>)

// --- a variable that is not declared, where one is legal alone
#B = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, k : compressed) }>
// ^ error E0111 60-61: `k` is not declared in this map
// ^ fix: i
func.func private @b(tensor<4x4xf64, #B>)

// --- a dimension that is not declared
#V = #sparse_tensor.encoding<{ map = (i) -> (i : dense, j : compressed) }>
// ^ error E0111 57-58: `j` is not declared in this map
// ^ fix: , j
func.func private @f(tensor<4x4xf64, #V>)

// --- a level bound by a colon
#V = #sparse_tensor.encoding<{ map = {l}(i = l) -> (l : i : compressed) }>
// ^ error E0001 55-56: a level is bound with `=`, not with `:`
// ^ fix: =
func.func private @f(tensor<4xf64, #V>)

// --- an arrow in two
#V = #sparse_tensor.encoding<{ map = (i) - > (i : compressed) }>
// ^ error E0001 42-45: a map is written with `->`, not with `- >`
// ^ fix: ->
func.func private @f(tensor<4xf64, #V>)

// --- a comma behind the last of a list
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed,) }>
// ^ error E0001 60-61: no `,` stands behind the last of a list
// ^ fix: 
func.func private @f(tensor<4xf64, #V>)

// --- a semicolon between entries
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed); posWidth = 32 }>
// ^ error E0001 61-62: the entries of an encoding are separated by `,`
// ^ fix: ,
func.func private @f(tensor<4xf64, #V>)

// --- a width in quotes
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = "32" }>
// ^ error E0104 74-78: posWidth is a number of bits, not `"32"`
// ^ fix: 32
func.func private @f(tensor<4xf64, #V>)

// --- a property in the name of the format
#V = #sparse_tensor.encoding<{ map = (i) -> (i : compressed_nonunique) }>
// ^ error E0106 50-70: unknown level format `compressed_nonunique`
// ^ fix: compressed(nonunique)
func.func private @f(tensor<4xf64, #V>)

// --- a level format at a dimension
#CSR = #sparse_tensor.encoding<{
  map = (i, j : dense) -> (i : dense, j : compressed)
// ^ error E0114 17-22: a dimension has no level format: `dense` stands behind `->`
}>
func.func private @f(tensor<4x4xf64, #CSR>)
