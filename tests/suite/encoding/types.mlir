// Tensor types.

// --- as they should be
func.func private @f(tensor<?x4xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @g(tensor<4 x 4 x complex<f32>, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- ranks that differ
func.func private @f(tensor<?xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>)
// ^ error E0201 29-34: the tensor has 1 dimension, its encoding 2
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @g(tensor<?x?x?xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>)
// ^ error E0201 29-38: the tensor has 3 dimensions, its encoding 2
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- scalar and unranked
func.func private @f(tensor<f64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>)
// ^ error E0202 29-32: a tensor without dimensions has no encoding
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @g(tensor<*xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>)
// ^ error E0202 29-34: an unranked tensor has no encoding
// ^ fix: ?x?xf64
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- types of promised values
func.func private @f(tensor<4x4xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), explicitVal = 1, implicitVal = 0 : i32 }>>)
// ^ error E0203 29-36: explicitVal is of type `i64`, the elements are `f64`
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), explicitVal = 1 : i64, implicitVal = 0 : i32 }>

// --- the element type of a promise fits
func.func private @f(tensor<4x4xi32, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), explicitVal = 1 : i32 }>>)
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), explicitVal = 1 : i32 }>

// --- element types
func.func private @f(tensor<4xnone>, tensor<4xtensor<4xf32>>, tensor<4xflaot>, tensor<4xf80>, tensor<4xvector<2xf32>>)
// ^ error E0205 31-35: a tensor cannot hold `none`
// ^ error E0205 47-60: a tensor cannot hold `tensor<4xf32>`
// ^ error E0205 72-77: unknown element type `flaot`

// --- a dimension too large
func.func private @f(tensor<99999999999999999999xf64>, tensor<4x>)
// ^ error E0206 29-53: a dimension is a number below 2^63, or `?`
// ^ error E0206 63-65: `4x` is not a shape and an element type

// --- zero dimensions
func.func private @f(tensor<0x4xf64>, tensor<0xf32>)

// --- an unknown alias does not cascade
func.func @f(%a: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR> {
// ^ error E0124 34-38: `#CSR` is not defined
// ^ fix: #CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\n
  return %a : tensor<4x4xf64, #CSR>
}

// --- a format that is no alias is no slip of another
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @f(%a: tensor<4x4xf64, #CSC>) -> tensor<4x4xf64, #CSR> {
// ^ error E0124 34-38: `#CSC` is not defined
// ^ fix: #CSC = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>\n
  return %a : tensor<4x4xf64, #CSC>
}

// --- an alias without its sign
CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0001 1-4: the name of an alias begins with `#`: `#CSR`
// ^ fix: #
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @f(%a: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR> {
  return %a : tensor<4x4xf64, #CSR>
}

// --- an alias without its equals sign
#CSR #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0001 6-29: expected `=` behind the name of the alias, found `#sparse_tensor.encoding`
// ^ fix:  =
func.func @f(%a: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR> {
  return %a : tensor<4x4xf64, #CSR>
}

// --- a broken alias does not cascade
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compresed) }>
// ^ error E0106 64-73: unknown level format `compresed`
// ^ fix: compressed
func.func private @f(tensor<4x4x4xf64, #A>)
// ^ error E0201 29-38: the tensor has 3 dimensions, its encoding 2

// --- a misspelt alias
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @f(tensor<4x4xf64, #CRS>)
// ^ error E0124 38-42: `#CRS` is not defined
// ^ fix: #CSR

// --- an alias below its use
func.func private @f(tensor<4x4xf64, #Z>)
// ^ error E0124 38-40: `#Z` is not defined
#Z = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- on a memref
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func private @f(memref<4x4xf64, #A>)
// ^ warning W0106 38-40: an encoding on a memref has no effect

// --- a comma with nothing behind it, which MLIR takes
func.func private @f(tensor<4xf64, >)
// ^ warning W0110 34-35: no encoding stands behind this `,`: the tensor is dense
// ^ fix: 

// --- any other attribute in the slot
func.func private @f(tensor<4xf64, "text">, tensor<4xf64, {}>, tensor<4x4xf64, affine_map<(i, j) -> (i)>>, tensor<4xf64, 3>)

// --- names of formats are not MLIR
func.func private @f(tensor<4x4xf64, CSR>, tensor<4x4xf64, BSR(2, 2)>)
// ^ error E0129 38-41: `CSR` is a name of nnz's notation, not of MLIR
// ^ fix: #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0129 60-69: `BSR` is a name of nnz's notation, not of MLIR
// ^ fix: #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>

// --- a sign where the element type would be
func.func private @f(tensor<4x! xf64>)
// ^ error E0001 31-32: expected `>`, found `!`
