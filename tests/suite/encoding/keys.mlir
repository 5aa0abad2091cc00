// The keys of an encoding, widths and promised values.

// --- empty body
#A = #sparse_tensor.encoding<{ }>
// ^ error E0102 6-34: an encoding needs a map
// ^ fix:  map = (i, j) -> (i : dense, j : compressed) 

// --- only a width
#A = #sparse_tensor.encoding<{ posWidth = 32 }>
// ^ error E0102 6-48: an encoding needs a map
// ^ fix:  map = (i, j) -> (i : dense, j : compressed),

// --- trailing comma
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- two commas
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed),, posWidth = 8 }>
// ^ error E0001 76-77: expected a key of the encoding, found `,`

// --- comma first
#A = #sparse_tensor.encoding<{ , map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0001 32-33: expected a key of the encoding, found `,`

// --- missing comma
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) posWidth = 8 }>
// ^ error E0001 76-84: expected `,`, found `posWidth`
// ^ fix: ,

// --- two maps
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), map = (i, j) -> (i : dense, j : compressed) }>
// ^ error E0103 77-80: an encoding has one map

// --- unknown keys, all at once
#A = #sparse_tensor.encoding<{ nap = 3, map = (i, j) -> (i : dense, j : compressed), posWith = 8, crdwidth = 16 }>
// ^ error E0101 32-35: an encoding has no key `nap`
// ^ error E0101 86-93: an encoding has no key `posWith`
// ^ fix: posWidth
// ^ error E0101 99-107: an encoding has no key `crdwidth`
// ^ fix: crdWidth

// --- a string as key
#A = #sparse_tensor.encoding<{ "map" = (i) -> (i : dense) }>
// ^ error E0001 32-37: expected a key of the encoding, found `"map"`

// --- no equals sign
#A = #sparse_tensor.encoding<{ map (i) -> (i : dense) }>
// ^ error E0001 36-37: expected `=`, found `(`
// ^ fix: =

// --- a key twice
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 8, posWidth = 16 }>
// ^ warning W0102 91-99: `posWidth` is written twice; the last one counts
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 16 }>

// --- both widths wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 128, crdWidth = 7 }>
// ^ error E0104 88-91: posWidth cannot be 128
// ^ error E0104 104-105: crdWidth cannot be 7
// ^ fix: 8

// --- widths of other kinds
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = -1, crdWidth = "x" }>
// ^ error E0104 88-90: posWidth cannot be -1
// ^ error E0104 103-106: crdWidth is a number of bits, not `"x"`
#B = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = true, crdWidth = 8.0 }>
// ^ error E0104 88-92: posWidth is a number of bits, not `true`
// ^ error E0104 105-108: crdWidth is a number of bits, not `8.0`

// --- a width cut to 32 bits by MLIR
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 4294967304, crdWidth = 4294967296 }>
// ^ error E0104 88-98: posWidth cannot be 4294967304
// ^ error E0104 111-121: crdWidth cannot be 4294967296

// --- widths in hex and with types
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 0x20, crdWidth = 8 : i8 }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 8 }>

// --- width 0 is index
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 0 }>
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// --- 2 bits without a structured level
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), crdWidth = 2, posWidth = 2 }>
// ^ error E0104 88-89: 2 bits hold the coordinates of a structured level, and there is none
// ^ fix: 8
// ^ error E0104 102-103: posWidth cannot be 2
// ^ fix: 8

// --- 2 bits for a block of 8
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 8 : dense, j mod 8 : structured[2, 8]), crdWidth = 2 }>
// ^ error E0104 122-123: 2 bits hold coordinates up to 3, and the block has 8
// ^ fix: 8

// --- 2 bits for 2:4
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2 }>
// ^ hint H0102 122-123: not MLIR 22: it wants a crdWidth of 8 here
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 floordiv 4 : dense, d1 mod 4 : structured[2, 4]), crdWidth = 2 }>

// --- values that are no numbers
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), explicitVal = "str", implicitVal = [1] }>
// ^ error E0105 91-96: explicitVal is a number, not `"str"`
// ^ error E0105 112-115: implicitVal is a number, not `[1]`

// --- values of every kind
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 1.0 }>
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed), explicitVal = 1.000000e+00 : f64 }>
#B = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 1 : i32, implicitVal = 0 : i32 }>
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed), explicitVal = 1 : i32, implicitVal = 0 : i32 }>
#C = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = true }>
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed), explicitVal = true }>
#D = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = #complex.number<:f32 1.0, 0.0> : complex<f32> }>
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed), explicitVal = #complex.number<:f32 1.000000e+00, 0.000000e+00> : complex<f32> }>

// --- a promise of zero
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), explicitVal = 0.0 }>
// ^ warning W0105 91-94: every stored value is promised to be zero
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), explicitVal = 0.000000e+00 : f64 }>

// --- a nonzero implicit value
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), implicitVal = 1.0 }>
// ^ error E0123 91-94: entries that are not stored are zero

// --- the other bracket of the attribute
#A = #sparse_tensor<encoding<{ map = (i) -> (i : compressed) }>>
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

// --- comments and lines
#A = #sparse_tensor.encoding<{
// ^ is #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), crdWidth = 32 }>
  // columns are kept
  map = (i, j) -> (i : dense, // rows
                   j : compressed),
  crdWidth = 32
}>

// --- never closed
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed)
// ^ error E0001 61-61: expected `}`, found the end of the line
// ^ fix: }>
#B = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>
// ^ is #sparse_tensor.encoding<{ map = (d0) -> (d0 : dense) }>

// --- a quote without a value
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = " }>
// ^ error E0001 74-75: this string is never closed: `"` is missing
#B = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = ", crdWidth = 32 }>
// ^ error E0001 74-75: this string is never closed: `"` is missing
#C = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = "32 }>
// ^ error E0001 74-75: this string is never closed: `"` is missing
// ^ fix: 

// --- a wrong width hides nothing else
#W = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), crdWidth = i32 }>
// ^ error E0104 88-91: crdWidth is a number of bits, not `i32`
// ^ fix: 32
func.func private @f(tensor<8x9x4xf64, #W>)
// ^ error E0201 29-38: the tensor has 3 dimensions, its encoding 2

// --- an unknown key hides nothing else
#K = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 1 : i32, defaultFill = 0.0 }>
// ^ error E0101 86-97: an encoding has no key `defaultFill`
func.func private @f(tensor<8xf64, #K>)
// ^ error E0203 29-34: explicitVal is of type `i32`, the elements are `f64`

// --- beside a wrong width, the form of 2021
#O = #sparse_tensor.encoding<{ dimLevelType = ["dense", "compressed"], posWidth = 31 }>
// ^ warning W0101 32-44: `dimLevelType` is a historic form of `map`
// ^ error E0104 83-85: posWidth cannot be 31
// ^ fix: 32

// --- a number is one token, with a `-` at most
#P = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 1.0 e5 : f64 }>
// ^ error E0105 77-89: explicitVal is a number, not `1.0 e5 : f64`

// --- a point apart
#Q = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 1 .5 : f64, implicitVal = 0 . 0 : f64 }>
// ^ error E0105 77-87: explicitVal is a number, not `1 .5 : f64`
// ^ error E0105 103-114: implicitVal is a number, not `0 . 0 : f64`

// --- a plus
#R = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), implicitVal = + 0.0 : f64, explicitVal = - 1.5 : f64 }>
// ^ error E0105 77-88: implicitVal is a number, not `+ 0.0 : f64`
