// The skeleton of maps, their variables and expressions.

// --- no lists
#A = #sparse_tensor.encoding<{ map = i -> i }>
// ^ error E0001 38-39: the dimensions of a map stand in parentheses
// ^ fix: (
// ^ fix: )
// ^ error E0001 45-46: expected `:` and a level format, found `}`

// --- brackets
#A = #sparse_tensor.encoding<{ map = [] }>
// ^ error E0001 41-42: expected `(` and a list of dimensions, found `}`

// --- no arrow
#A = #sparse_tensor.encoding<{ map = () }>
// ^ error E0001 41-42: expected `->`, found `}`

// --- no levels
#A = #sparse_tensor.encoding<{ map = () -> () }>
// ^ error E0102 38-46: the map has no levels, so nothing would be stored

// --- no parentheses around levels
#A = #sparse_tensor.encoding<{ map = (i) -> i }>
// ^ error E0001 47-48: expected `:` and a level format, found `}`

// --- no format
#A = #sparse_tensor.encoding<{ map = (i) -> (i) }>
// ^ error E0001 47-48: expected `:` and a level format, found `)`
#B = #sparse_tensor.encoding<{ map = (i) -> (i :) }>
// ^ error E0001 49-50: expected a level format, found `)`

// --- a semicolon
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed; j : dense) }>
// ^ error E0001 63-64: the parts of a list are separated by `,`
// ^ fix: ,

// --- trailing commas
#A = #sparse_tensor.encoding<{ map = (i, j,) -> (i : dense, j : compressed,) }>
// ^ error E0001 43-44: no `,` stands behind the last of a list
// ^ fix: 
// ^ error E0001 75-76: no `,` stands behind the last of a list
// ^ fix: 

// --- missing comma between levels
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense j : compressed) }>
// ^ error E0001 59-60: expected `,`, found `j`
// ^ fix: ,

// --- numbers as names
#A = #sparse_tensor.encoding<{ map = (0, 1) -> (0 : dense, 1 : compressed) }>
// ^ error E0001 39-40: expected the name of a dimension, found `0`
// ^ error E0001 42-43: expected the name of a dimension, found `1`

// --- a dimension twice
#A = #sparse_tensor.encoding<{ map = (i, i) -> (i : dense, i : compressed) }>
// ^ error E0110 42-43: `i` is already a dimension

// --- undeclared, with a neighbour
#A = #sparse_tensor.encoding<{ map = (row, column) -> (row : dense, colum : compressed) }>
// ^ error E0111 69-74: `colum` is not declared in this map
// ^ fix: column

// --- keywords as names
#A = #sparse_tensor.encoding<{ map = (dense, mod) -> (mod floordiv 2 : dense, dense : compressed, mod mod 2 : dense) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 floordiv 2 : dense, d0 : compressed, d1 mod 2 : dense) }>

// --- a product of dimensions
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i * j : dense, j : compressed) }>
// ^ error E0112 49-54: a product needs a constant or a symbol on one side

// --- division by a dimension
#A = #sparse_tensor.encoding<{ map = (i) -> (4 floordiv i : compressed, i : dense) }>
// ^ error E0112 57-58: `floordiv` needs a constant or a symbol on its right

// --- a constant too large
#A = #sparse_tensor.encoding<{ map = (i) -> (i floordiv 18446744073709551616 : compressed, i mod 18446744073709551616 : dense) }>
// ^ error E0112 57-77: `18446744073709551616` is too large: the largest constant is 9223372036854775807
// ^ error E0112 98-118: `18446744073709551616` is too large: the largest constant is 9223372036854775807

// --- division by nothing
#A = #sparse_tensor.encoding<{ map = (i) -> (i floordiv 0 : compressed, i mod -2 : dense) }>
// ^ error E0112 57-58: `floordiv` needs a positive divisor, not 0
// ^ error E0112 79-81: `mod` needs a positive divisor, not -2

// --- simplified to plain variables
#A = #sparse_tensor.encoding<{ map = (i, j) -> ((i + 1) - 1 : dense, - -j * 1 floordiv 1 + 0 : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- symbols twice
#A = #sparse_tensor.encoding<{ map = [a, a](i, j) -> (i : dense, j : compressed) }>
// ^ error E0110 42-43: `a` is already a symbol

// --- a symbol named as a dimension
#A = #sparse_tensor.encoding<{ map = [i](i, j) -> (i : dense, j : compressed) }>
// ^ error E0110 42-43: `i` is already a symbol

// --- symbols behind level variables
#A = #sparse_tensor.encoding<{ map = {a, b}[s](i = a, j = b) -> (a = i : dense, b = j : compressed) }>
// ^ error E0001 44-45: the symbols `[...]` stand before the level variables `{...}`

// --- an undeclared level variable
#A = #sparse_tensor.encoding<{ map = (i = a, j = b) -> (a = i : dense, b = j : compressed) }>
// ^ error E0111 43-44: `a` is not declared in this map
// ^ error E0111 50-51: `b` is not declared in this map
// ^ error E0113 57-58: `a` is not declared as a level variable
// ^ error E0113 72-73: `b` is not declared as a level variable

// --- bound but not declared
#A = #sparse_tensor.encoding<{ map = (i, j) -> (a = i : dense, b = j : compressed) }>
// ^ error E0113 49-50: `a` is not declared as a level variable
// ^ error E0113 64-65: `b` is not declared as a level variable

// --- too many level variables
#A = #sparse_tensor.encoding<{ map = {a, b, c}(i, j) -> (a = i : dense, b = j : compressed) }>
// ^ error E0113 45-46: 3 level variables declared for 2 levels

// --- too few level variables
#A = #sparse_tensor.encoding<{ map = {a}(i, j) -> (a = i : dense, b = j : compressed) }>
// ^ error E0113 67-85: 1 level variable declared for 2 levels

// --- level variables in another order
#A = #sparse_tensor.encoding<{ map = {b, a}(i, j) -> (a = i : dense, b = j : compressed) }>
// ^ error E0113 55-56: this level is declared as `b`, not `a`
// ^ fix: b
// ^ error E0113 70-71: this level is declared as `a`, not `b`
// ^ fix: a

// --- a level variable twice
#A = #sparse_tensor.encoding<{ map = {a, a}(i, j) -> (a = i : dense, a = j : compressed) }>
// ^ error E0110 42-43: `a` is already a level variable

// --- no binding
#A = #sparse_tensor.encoding<{ map = {a, b}(i, j) -> (i : dense, j : compressed) }>
// ^ error E0113 55-64: `a =` is missing before the level's expression
// ^ fix: a = 
// ^ error E0113 66-80: `b =` is missing before the level's expression
// ^ fix: b = 

// --- binding without an expression
#A = #sparse_tensor.encoding<{ map = {a, b}(i, j) -> (a : dense, b : compressed) }>
// ^ error E0113 55-64: `a =` is missing before the level's expression
// ^ error E0113 66-80: `b =` is missing before the level's expression

// --- a level variable named as a dimension
#A = #sparse_tensor.encoding<{ map = {i, b}(i, j) -> (i = i : dense, b = j : compressed) }>
// ^ error E0110 45-46: `i` is already a level variable
// ^ error E0111 59-60: `i` is a level variable, which may not stand here
// ^ fix: j

// --- a dimension in a dimension
#A = #sparse_tensor.encoding<{ map = {a, b}(i = a, j = i) -> (a = i : dense, b = j : compressed) }>
// ^ error E0111 56-57: `i` is a dimension, which may not stand here

// --- a level variable in a level
#A = #sparse_tensor.encoding<{ map = {a, b}(i = a, j = b) -> (a = i : dense, b = a : compressed) }>
// ^ error E0111 82-83: `a` is a level variable, which may not stand here
// ^ fix: j

// --- the operators of the Universal Sparse Tensor
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i / 2 : dense, j : compressed, i % 2 : dense) }>
// ^ error E0129 51-52: MLIR spells `/` as `floordiv`
// ^ fix: floordiv
// ^ error E0129 82-83: MLIR spells `%` as `mod`
// ^ fix: mod

// --- a bare map where MLIR wants an attribute
#A = (i, j) -> (i : dense, j : (compressed, nonunique))
// ^ error E0129 6-56: a bare map is the notation of nnz and of the Universal Sparse Tensor, not of MLIR
// ^ fix: #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed(nonunique)) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed(nonunique)) }>

// --- the parenthesis behind the levels is missing
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed, posWidth = 32, crdWidth = 32 }>
// ^ error E0001 74-75: expected `)`, found `,`
// ^ fix: )
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed, explicitVal = 1.0 : f64 }>
// ^ error E0001 74-75: expected `)`, found `,`
// ^ fix: )

// --- the parenthesis in front of the dimensions or the levels is missing
#A = #sparse_tensor.encoding<{ map = i, j) -> (i : dense, j : compressed) }>
// ^ error E0001 38-42: the dimensions of a map stand in parentheses
// ^ fix: (
#B = #sparse_tensor.encoding<{ map = (i, j) -> i : dense, j : compressed) }>
// ^ error E0001 48-73: the levels stand in parentheses
// ^ fix: (
#C = #sparse_tensor.encoding<{ map = (i, j) -> i : dense, j : compressed), posWidth = 32 }>
// ^ error E0001 48-73: the levels stand in parentheses
// ^ fix: (

// --- a map in parentheses
#A = #sparse_tensor.encoding<{ map = ((i, j) -> (i : dense, j : compressed)) }>
// ^ error E0001 38-39: a map stands without parentheses around it
// ^ fix: 
// ^ fix: 
#B = #sparse_tensor.encoding<{ map = ((i, j) -> (i : dense, j : compressed) }>
// ^ error E0001 38-39: this `(` is never closed
// ^ fix: 
#C = #sparse_tensor.encoding<{ map = ((i, j)) -> (i : dense, j : compressed) }>
// ^ error E0001 38-39: one pair of parentheses is enough
// ^ fix: 
// ^ fix: 
#D = #sparse_tensor.encoding<{ map = (i, j) -> ((i : dense, j : compressed)) }>
// ^ error E0001 48-49: one pair of parentheses is enough
// ^ fix: 
// ^ fix: 
#E = #sparse_tensor.encoding<{ map = (i, j) -> ((i + j) : dense, j : compressed) }>
// ^ hint H0102 38-81: not MLIR 22: it cannot invert this map
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 + d1 : dense, d1 : compressed) }>

// --- an attribute that there is not
func.func private @f(tensor<4x4xf64, #sparse_tensor.encodng<{ map = (i, j) -> (i : dense, j : compressed) }>>)
// ^ error E0124 38-60: there is no attribute `#sparse_tensor.encodng`
// ^ fix: #sparse_tensor.encoding
func.func private @g(tensor<4x4xf64, #sparse_tensor.CSR>)
// ^ error E0124 38-56: there is no attribute `#sparse_tensor.CSR`
// ^ fix: #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func private @h(tensor<4x4xf64, #sparse_tensor.storage>)
// ^ error E0124 38-60: there is no attribute `#sparse_tensor.storage`

// --- another sign in front of an encoding
#A := #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0001 4-6: an alias is defined with `=`, not with `:=`
// ^ fix: =
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#B == #sparse_tensor.encoding<{ map := (i, j) -> (i : dense, j : compressed) }>
// ^ error E0001 4-6: an alias is defined with `=`, not with `==`
// ^ fix: =
// ^ error E0001 37-39: a key and its value are joined by `=`, not by `:=`
// ^ fix: =
func.func private @f(tensor<4x4xf64, #A>, tensor<4x4xf64, #B>)

// --- a size is missing
func.func private @f(tensor<x2xf64>, tensor<x2xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>)
// ^ error E0206 29-30: a size is missing in front of this `x`
// ^ error E0206 45-46: a size is missing in front of this `x`
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
