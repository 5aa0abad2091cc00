// Slices.

// --- a slice and its default
#A = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(1, 4, 2)>, j) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0 : #sparse_tensor<slice(1, 4, 2)>, d1 : #sparse_tensor<slice(0, ?, 1)>) -> (d0 : dense, d1 : compressed) }>

// --- run-time slices
#A = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(?, 4, ?)>, j : #sparse_tensor<slice(?, ?, ?)>) -> (i : dense, j : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0 : #sparse_tensor<slice(?, 4, ?)>, d1 : #sparse_tensor<slice(?, ?, ?)>) -> (d0 : dense, d1 : compressed) }>

// --- by an alias
#s = #sparse_tensor<slice(0, 4, 1)>
#A = #sparse_tensor.encoding<{ map = (i : #s) -> (i : compressed) }>
// ^ is #sparse_tensor.encoding<{ map = (d0 : #sparse_tensor<slice(0, 4, 1)>) -> (d0 : compressed) }>

// --- an alias of something else
#s = 4 : i32
#A = #sparse_tensor.encoding<{ map = (i : #s) -> (i : compressed) }>
// ^ error E0114 43-45: `#s` is not a slice

// --- negative parts
#A = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(-1, 4, -1)>, j) -> (i : dense, j : compressed) }>
// ^ error E0114 64-66: the offset of a slice is a number from 0 up, or `?`; not `-1`
// ^ error E0114 71-73: the stride of a slice is a number from 1 up, or `?`; not `-1`

// --- empty, without stride
#A = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 0, 1)>, j : #sparse_tensor<slice(0, 4, 0)>) -> (i : dense, j : compressed) }>
// ^ error E0114 67-68: the size of a slice is a number from 1 up, or `?`; not `0`
// ^ error E0114 106-107: the stride of a slice is a number from 1 up, or `?`; not `0`

// --- of two dimensions
#A = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, -4, 1)>, j : #sparse_tensor<slice(0, 0, 1)>) -> (i : dense, j : compressed) }>
// ^ error E0114 67-69: the size of a slice is a number from 1 up, or `?`; not `-4`
// ^ error E0114 104-105: the size of a slice is a number from 1 up, or `?`; not `0`

// --- two parts
#A = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 4)>) -> (i : compressed) }>
// ^ error E0114 43-70: a slice has an offset, a size and a stride; 2 given

// --- a fraction
#A = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(1.0, 4, 1)>) -> (i : compressed) }>
// ^ error E0114 64-67: the offset of a slice is a number from 0 up, or `?`; not `1.0`

// --- without the dialect
#A = #sparse_tensor.encoding<{ map = (i : slice(0, 4, 1)) -> (i : compressed) }>
// ^ error E0114 43-57: a slice is written `#sparse_tensor<slice(offset, size, stride)>`
// ^ fix: #sparse_tensor<slice(0, 4, 1)>

// --- with a dot
#A = #sparse_tensor.encoding<{ map = (i : #sparse_tensor.slice(0, 4, 1)) -> (i : compressed) }>
// ^ error E0114 43-72: a slice is written `#sparse_tensor<slice(offset, size, stride)>`
// ^ fix: #sparse_tensor<slice(0, 4, 1)>

// --- another attribute
#A = #sparse_tensor.encoding<{ map = (i : 42) -> (i : compressed) }>
// ^ error E0114 43-45: a slice is written `#sparse_tensor<slice(offset, size, stride)>`

// --- slice before inverse
#A = #sparse_tensor.encoding<{ map = {a, b}(i : #sparse_tensor<slice(1, 4, 1)> = a, j = b) -> (a = i : dense, b = j : compressed) }>
// ^ error E0001 80-81: expected `,`, found `=`

// --- of a blocked dimension
#A = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(1, 4, 1)>, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense) }>
// ^ error E0114 43-73: a slice needs as many levels as dimensions: blocks cannot be sliced
// ^ error E0114 75-76: a slice needs as many levels as dimensions: blocks cannot be sliced

// --- against the shape
func.func private @f(tensor<7x9xf64, #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 4, 1)>, j : #sparse_tensor<slice(0, 4, 1)>) -> (i : dense, j : compressed) }>>)
// ^ warning W0109 29-36: the slice of `i` has size 4, the tensor 7
// ^ warning W0109 29-36: the slice of `j` has size 4, the tensor 9
// ^ is #sparse_tensor.encoding<{ map = (d0 : #sparse_tensor<slice(0, 4, 1)>, d1 : #sparse_tensor<slice(0, 4, 1)>) -> (d0 : dense, d1 : compressed) }>

// --- with the shape
func.func private @f(tensor<4x?xf64, #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 4, 1)>, j : #sparse_tensor<slice(0, 4, 1)>) -> (i : dense, j : compressed) }>>)
// ^ is #sparse_tensor.encoding<{ map = (d0 : #sparse_tensor<slice(0, 4, 1)>, d1 : #sparse_tensor<slice(0, 4, 1)>) -> (d0 : dense, d1 : compressed) }>
