// Affine maps of programs: what MLIR takes and refuses.

// --- maps that MLIR takes
#m0 = affine_map<(i, j) -> (j, i)>
#m1 = affine_map<(i, j)[s] -> (j, i + s)>
#m2 = affine_map<() -> ()>
#m3 = affine_map<()[s0] -> (s0)>
#m4 = affine_map<(i)[s] -> (i floordiv s, i * s)>
#m5 = affine_map<(i) -> (-i, - 3, i - -3)>
#m6 = affine_map<(i) -> (9223372036854775807)>
#m7 = affine_map<(i) -> (0x10)>
#m8 = affine_map<(i)[] -> (i)>
#m9 = affine_map<(i) -> ((i + 1) * 2, 2 * i + 1)>
#m10 = affine_map<(d0, d1) -> (d0 + d1, d0 - d1, 3)>
#m11 = affine_map<(mod) -> (mod)>
#m12 = affine_map<(i) -> (i floordiv 0, i ceildiv 0, i mod 0, i mod -2, 3 floordiv 0)>

// --- brackets and arrows
#m13 = affine_map<(i) -> i>
// ^ error E0001 26-27: expected `(` and a list of results, found `i`
#m14 = affine_map<i -> (i)>
// ^ error E0001 19-20: expected `(` and a list of dimensions, found `i`
#m15 = affine_map<(i -> (i)>
// ^ error E0001 22-24: expected `)`, found `->`
// ^ fix: )
#m16 = affine_map<(i) -> (i>
// ^ error E0001 28-29: expected `)`, found `>`
// ^ fix: )
#m17 = affine_map<(i)[s -> (i)>
// ^ error E0001 25-27: expected `]`, found `->`
// ^ fix: ]
#m18 = affine_map<[s](i) -> (i)>
// ^ error E0001 19-20: the dimensions `(...)` stand in front of the symbols `[...]`
#m19 = affine_map<[i] -> (i)>
// ^ error E0001 19-20: expected `(` and a list of dimensions, found `[`
// ^ fix: (
// ^ fix: )
#m20 = affine_map<{i} -> (i)>
// ^ error E0001 19-20: expected `(` and a list of dimensions, found `{`
// ^ fix: (
// ^ fix: )
#m21 = affine_map<(i) -> []>
// ^ error E0001 26-27: expected `(` and a list of results, found `[`
// ^ fix: (
// ^ fix: )
#m22 = affine_map<(i) (i)>
// ^ error E0001 23-24: expected `->`, found `(`
// ^ fix: ->
#m23 = affine_map<(i){s} -> (i)>
// ^ error E0001 22-23: expected `->`, found `{`
#m24 = affine_map<(i) = (i)>
// ^ error E0001 23-24: expected `->`, found `=`
#m25 = affine_map<(i) => (i)>
// ^ error E0001 23-25: a map is written with `->`, not with `=>`
// ^ fix: ->
#m27 = affine_map<(i) -> (i), 3>
// ^ error E0001 29-30: expected `>`, found `,`
// ^ fix: >

// --- names
#m28 = affine_map<(i,) -> (i)>
// ^ error E0001 22-23: expected the name of a dimension, found `)`
#m29 = affine_map<(i, i) -> (i)>
// ^ error E0110 23-24: `i` is already a dimension
#m30 = affine_map<(i)[i] -> (i)>
// ^ error E0110 23-24: `i` is already a dimension
#m31 = affine_map<(i) -> (j)>
// ^ error E0111 27-28: `j` is not declared in this map
// ^ fix: i
#m32 = affine_map<(row, col) -> (rwo, col)>
// ^ error E0111 34-37: `rwo` is not declared in this map
// ^ fix: row
#m33 = affine_map<(%i) -> (%i)>
// ^ error E0001 20-22: expected the name of a dimension, found `%i`
#m34 = affine_map<(1) -> (1)>
// ^ error E0001 20-21: expected the name of a dimension, found `1`
#m35 = affine_map<(i j) -> (i)>
// ^ error E0001 22-23: expected `,`, found `j`
// ^ fix: ,
#m36 = affine_map<(i)[s t] -> (i)>
// ^ error E0001 25-26: expected `,`, found `t`
// ^ fix: ,

// --- expressions
#m37 = affine_map<(i, j) -> (i * j)>
// ^ error E0112 30-35: a product needs a constant or a symbol on one side
#m38 = affine_map<(i, j) -> (i floordiv j)>
// ^ error E0112 41-42: `floordiv` needs a constant or a symbol on its right
#m39 = affine_map<(i, j) -> (1 mod (i + j))>
// ^ error E0112 36-43: `mod` needs a constant or a symbol on its right
#m40 = affine_map<(i) -> (99999999999999999999)>
// ^ error E0112 27-47: `99999999999999999999` is too large: the largest constant is 9223372036854775807
#m41 = affine_map<(i) -> (-9223372036854775808)>
// ^ error E0112 28-47: `9223372036854775808` is too large: the largest constant is 9223372036854775807
#m42 = affine_map<(i) -> (i / 2)>
// ^ error E0129 29-30: MLIR spells `/` as `floordiv`
// ^ fix: floordiv
#m43 = affine_map<(i) -> (i % 2)>
// ^ error E0129 29-30: MLIR spells `%` as `mod`
// ^ fix: mod
#m44 = affine_map<(i) -> (i div 2)>
// ^ error E0001 29-32: `div` is written `floordiv` in a map
// ^ fix: floordiv
#m45 = affine_map<(i) -> (i modd 2)>
// ^ error E0001 29-33: there is no operator `modd` in a map
// ^ fix: mod
#m46 = affine_map<(i) -> (i,)>
// ^ error E0001 29-30: expected an expression, found `)`
#m47 = affine_map<(i) -> (i + )>
// ^ error E0001 31-32: expected an expression, found `)`
#m48 = affine_map<(i) -> (i mod)>
// ^ error E0001 32-33: expected an expression, found `)`
#m49 = affine_map<(i) -> (i i)>
// ^ error E0001 29-30: expected `,`, found `i`
// ^ fix: ,
#m50 = affine_map<(i) -> (+i)>
// ^ error E0001 27-28: expected an expression, found `+`
#m51 = affine_map<(i) -> (i + 1.5)>
// ^ error E0001 31-34: expected an expression, found `1.5`
#m52 = affine_map<(i) -> (#i)>
// ^ error E0112 27-29: `#i` counts entries, which only a level of an encoding does
#m53 = affine_map<(i) -> (i : dense)>
// ^ error E0001 29-30: expected `,`, found `:`

// --- in operations
func.func @f(%i: index) -> memref<4x4xf64, affine_map<(i, j) -> (j, k)>> {
// ^ error E0111 69-70: `k` is not declared in this map
  %0 = affine.apply affine_map<(i) -> (i + 1>(%i)
// ^ error E0001 45-46: expected `)`, found `>`
// ^ fix: )
  %1 = "some.op"(%i) {maps = [affine_map<(i)->(i)>, affine_map<(i -> (i)>, {a = affine_map<(i) -> (2 i)>}]} : (index) -> index
// ^ error E0001 67-69: expected `)`, found `->`
// ^ fix: )
// ^ error E0001 102-103: expected `,`, found `i`
// ^ fix: ,
  return
}

// --- in lists of dictionaries
#list = [{map = affine_map<(i) -> (j)>}, affine_map<(i) -> (i)>]
// ^ error E0111 36-37: `j` is not declared in this map
// ^ fix: i
