//! The register of codes. A code is stable once published: it is never given another meaning.
//! E0001-E0099 syntax, E0100-E0199 encodings, E0200-E0299 types and literals, E0300-E0399 kernels,
//! E0400-E0499 storage and files, E0500-E0599 sessions, E0600-E0699 programs, E0900 compiler bugs;
//! `W` warnings and `H` hints use the same hundreds.

use super::Severity;

/// One row per code: its variant, its text, what it means at length. In `explanation`, a wrong
/// example stands in a fence opened by "```wrong", a right one in "```right".
macro_rules! codes {
    ($($variant:ident $text:literal $title:literal $explanation:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($variant),* }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            pub fn text(self) -> &'static str {
                match self { $(Code::$variant => $text),* }
            }
            /// In a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),* }
            }
            /// At length, with a wrong and a right example.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$variant => $explanation),* }
            }
        }
    };
}

codes! {
    SyntaxError "E0001" "unexpected text"
        "The text does not follow the grammar at the underlined place; the message says what would be legal there.\n\n```wrong\n#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense j : compressed) }>\n```\n\n```right\n#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\n```"
    LiteralShape "E0220" "a literal of another shape"
        "A literal has as many rows, and each row as many values, as the type of its tensor says. Where the type leaves a size open (`?`, or a format alone), the first row decides.\n\n```wrong\nA : tensor<2x3xf64, CSR> = [[1, 0, 2], [0, 3]]\n```\n\n```right\nA : tensor<2x3xf64, CSR> = [[1, 0, 2], [0, 3, 0]]\n```"
    LiteralType "E0221" "a constant of another type"
        "Constants must be values of the element type: whole numbers for integers, `(re, im)` for complex numbers only.\n\n```wrong\nx : tensor<2xi32> = [1, 2.5]\n```\n\n```right\nx : tensor<2xf64> = [1, 2.5]\n```"
    LiteralRange "E0222" "a constant that its type cannot hold"
        "Every integer type holds a range, and the narrow floating-point types overflow early (`f16` at 65520). nnz does not wrap or round such a constant in silence.\n\n```wrong\nx : tensor<2xi8> = [1, 300]\n```\n\n```right\nx : tensor<2xi16> = [1, 300]\n```"
    LiteralCoordinate "E0223" "a coordinate outside the tensor"
        "`sparse<[coordinates], [values]>` gives each entry one coordinate per dimension, counted from 0 and below the dimension's size.\n\n```wrong\nB : tensor<4x4xf64, CSC> = sparse<[[0, 4]], [1.5]>\n```\n\n```right\nB : tensor<4x4xf64, CSC> = sparse<[[0, 3]], [1.5]>\n```"
    RepeatedCoordinates "W0224" "coordinates that repeat"
        "Two entries of a `sparse<...>` literal have the same coordinates. They are summed, as repeated entries of a file are; that is seldom what was meant in a literal.\n\n```wrong\nB : tensor<4x4xf64, CSC> = sparse<[[0, 3], [0, 3]], [1.5, 2.5]>\n```\n\n```right\nB : tensor<4x4xf64, CSC> = sparse<[[0, 3]], [4]>\n```"
    TensorInit "E0225" "nothing to make a tensor from"
        "A tensor is made from a literal, from a file, by a generator, or from another tensor, which is converted to the declared type. A computed tensor is a kernel and names its indices.\n\n```wrong\nC : tensor<4x4xf64, CSR> = A + B\n```\n\n```right\nC(i, j) : CSR = A(i, j) + B(i, j)\n```"
    GeneratorArgument "E0226" "an argument that a generator does not take"
        "Generators take named arguments; `:help generators` lists them.\n\n```wrong\nR : tensor<100x100xf64, CSR> = random(dens = 0.01)\n```\n\n```right\nR : tensor<100x100xf64, CSR> = random(density = 0.01, seed = 7)\n```"
    IncompleteType "E0227" "a type that leaves too much open"
        "The rank and the sizes of a tensor come from its type or from its data; here neither tells them.\n\n```wrong\nR : CSR = random(density = 0.01)\n```\n\n```right\nR : tensor<1000x1000xf64, CSR> = random(density = 0.01)\n```"
    ShapeMismatch "E0228" "data of another shape"
        "The data have another shape than the declared type says.\n\n```wrong\nA : tensor<3x4xf64, CSR> = [[1, 0], [0, 2]]\nB : tensor<4x4xf64, CSC> = A\n```\n\n```right\nB : tensor<3x4xf64, CSC> = A\n```"
    UnknownName "E0320" "an unknown name"
        "A name must be defined before it is used, in the same file or in an earlier input of the session.\n\n```wrong\ny(i) = A(i, j) * x(j)\n```\n\n```right\nA : tensor<2x2xf64, CSR> = [[1, 0], [0, 2]]\nx : tensor<2xf64> = [1, 2]\ny(i) = A(i, j) * x(j)\n```"
    WrongArity "E0321" "the wrong number of indices or arguments"
        "A tensor is used with one index per dimension, a function with its arguments, a reduction with the index variables that it reduces over before the expression.\n\n```wrong\ny(i) = A(i) * x(i)\n```\n\n```right\ny(i) = A(i, j) * x(j)\n```"
    ExtentMismatch "E0322" "an index variable over two extents"
        "An index variable runs over the same coordinates wherever it stands, so the dimensions that it indexes must have one size.\n\n```wrong\nA : tensor<3x4xf64, CSR> = random(density = 0.5)\nx : tensor<3xf64> = [1, 2, 3]\ny(i) = A(i, j) * x(j)\n```\n\n```right\ny(j) = A(i, j) * x(i)\n```"
    UnboundIndex "E0323" "an index variable without an extent"
        "An index variable of the result must index a tensor on the right, or the result's type must be declared, so that its extent is known.\n\n```wrong\ny(k) = A(i, j) * x(j)\n```\n\n```right\ny(i) = A(i, j) * x(j)\n```"
    ElementMismatch "E0324" "operands of different element types"
        "Every tensor keeps its element type, and the operands of an operation have one. nnz converts nothing in silence: name the conversion, `f64(...)`, `i32(...)`, `complex<f32>(...)`. Numbers, index variables and conditions take on the type of what they are computed with.\n\n```wrong\nx : tensor<2xf32> = [1, 2]\ny : tensor<2xf64> = [1, 2]\nz(i) = x(i) + y(i)\n```\n\n```right\nz(i) = f64(x(i)) + y(i)\n```"
    AssignmentTarget "E0325" "nothing that can be assigned to"
        "The left side of a kernel is a name with its index variables, that of a scalar a name and its type.\n\n```wrong\ns = A(i, j) * A(i, j)\n```\n\n```right\ns : f64 = A(i, j) * A(i, j)\n```"
    InvalidKernel "E0326" "an assignment without a clear meaning"
        "The message says which rule is broken. The most frequent one: a sum over an index variable of which it is open where it belongs.\n\n```wrong\ny(i) = A(i, j) * (x(j) + z(k))\n```\n\n```right\ny(i) = A(i, j) * (x(j) + sum(k, z(k)))\n```"
    IndexForm "E0328" "an index of another form"
        "An index is a variable or a sum of multiples of variables and a whole number: `i`, `2 * i + k - 1`, `3`. A window of a dimension is a range with the variable that counts its entries, from 0 on: `i = 2:8` or, with a step, `i = 2:8:3`. The result is indexed with variables alone.\n\n```wrong\nx : tensor<8xf64> = [1, 2, 3, 4, 5, 6, 7, 8]\ny(i) = x(i * i)\n```\n\n```right\ny(i) : tensor<4xf64> = x(2 * i)\nz(i) = x(i = 2:8:3)\n```"
    OutOfBounds "E0329" "an index that leaves its dimension"
        "For some values of its variables the index lies below 0 or beyond the dimension's size; the message says from where to where it runs. A variable that only such indices use runs as far as all of them stay inside.\n\n```wrong\nx : tensor<4xf64> = [1, 2, 3, 4]\ny(i) : tensor<4xf64> = x(i + 1)\n```\n\n```right\ny(i) : tensor<3xf64> = x(i + 1)\n```"
    NothingToUpdate "E0331" "nothing to update"
        "`+=`, `-=`, `*=`, `/=`, `min=` and `max=` take the old value of what they update, which must have been made before, with `=`.\n\n```wrong\ny(i) += A(i, j) * x(j)\n```\n\n```right\ny(i) = A(i, j) * x(j)\ny(i) += A(i, j) * x(j)\n```"
    NoCondition "E0332" "a condition where a number is, or a number where a condition is"
        "A condition is of type `i1`: a comparison, `and`, `or`, `not`, `any`, `all`, or a tensor of `i1`. A number becomes one by a comparison. Where a number is wanted, a condition is 1 or 0; to add conditions up, say in which type.\n\n```wrong\nx : tensor<3xf64> = [1, 0, 2]\ns(i) = select(x(i), 1, 2)\n```\n\n```right\ns(i) = select(x(i) != 0, 1, 2)\nn : i64 = x(i) > 0\n```"
    NoOperation "E0333" "an operation that a type does not have"
        "The elementary functions are there for floating-point types, `min`, `max` and the comparisons by order for all but the complex types, operations on bits for integers; the message says which. Convert the operand first.\n\n```wrong\nn : tensor<2xi32> = [1, 4]\ny(i) = sqrt(n(i))\n```\n\n```right\ny(i) = sqrt(f64(n(i)))\n```"
    ScheduleStep "E0340" "a step of a schedule that is not one"
        "A schedule says how the loops of a kernel are arranged, in steps over named loops: the index variables, and the loops that earlier steps have made. Each step has its own arguments; `:help schedule` lists them.\n\n```wrong\ny(i) = A(i, j) * x(j) schedule split(i, 16)\n```\n\n```right\ny(i) = A(i, j) * x(j) schedule split(i, i0, i1, 16)\n```"
    IllegalStep "E0341" "a step of a schedule that the loops do not allow"
        "A schedule never changes the result, not even the order in which a floating-point sum adds. A step that would, or that these loops cannot follow, is refused before anything is generated; the message says what stands against it, the help what works instead.\n\n```wrong\ny(i) = A(i, j) * x(j) schedule split(j, j0, j1, 16)\n```\n\n```right\ny(i) = A(i, j) * x(j) schedule pos(j, p, A), split(p, p0, p1, 16)\n```"
    NotYet "E0327" "not carried out yet"
        "The text is legal, but this version of nnz cannot carry it out; the message and its help say what works instead."
    HiddenCost "H0330" "a cost that the text does not show"
        "To carry out the statement, nnz does something that was not asked for: it copies an operand into a dense array, computes a sparse result densely, visits every coordinate, or runs in the interpreter. The message says what, and how large it is. The result is not affected."
    BadFile "E0450" "a file that cannot be used"
        "The file cannot be opened, or its contents contradict its format; the message names the line and column.\n\n```wrong\nM : CSR = read \"matrix.txt\"\n```\n\n```right\nM : CSR = read \"matrix.mtx\"\n```"
    BadData "E0451" "data that do not fit their encoding"
        "The encoding promises something that the data break: a narrow width, `structured[2, 4]`, an explicit value.\n\n```wrong\n#N = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), crdWidth = 8 }>\nv : tensor<1000xf64, #N> = sparse<[[999]], [1.0]>\n```\n\n```right\n#N = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), crdWidth = 16 }>\nv : tensor<1000xf64, #N> = sparse<[[999]], [1.0]>\n```"
    RunFailed "E0510" "a kernel that could not be run"
        "The kernel is legal, but the chosen target could not compile or run it; the message says why. `--target interpreter` runs every kernel."
    TooLarge "E0512" "more than can be carried out"
        "The kernel would visit more than 10^12 points, or its dense result would not fit in the memory that is free. Nothing was started; the message has the figure. Products of sums are cheaper when each sum is a kernel of its own, and a result that is mostly zeros wants a sparse encoding.\n\n```wrong\nu : tensor<100000xf64> = [1, 2, 3]\ns : f64 = u(i) * u(j) * u(k)\n```\n\n```right\nt : f64 = u(i)\ns : f64 = t * t * t\n```"
    Cancelled "E0511" "stopped"
        "The statement was stopped by Ctrl-C; the session is as it was before it."
    UnknownKey "E0101" "unknown key of an encoding"
r##"An encoding has the keys `map`, `posWidth`, `crdWidth`, `explicitVal` and `implicitVal`.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWith = 32 }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = 32 }>
```"##
    NoMap "E0102" "an encoding without levels"
r##"The map says which levels store the tensor; without it, or without a level in it, nothing would be stored.

```wrong
#A = #sparse_tensor.encoding<{ posWidth = 32 }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = 32 }>
```"##
    RepeatedMap "E0103" "two maps"
r##"An encoding has exactly one map. MLIR appends the levels of the second to those of the first and then reports a mismatch of ranks.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : dense), map = (i) -> (i : dense) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>
```"##
    BadWidth "E0104" "an impossible width"
r##"Positions and coordinates have 8, 16, 32 or 64 bits, or 0 for `index`; 2 bits hold the coordinates of a structured level of up to 4. MLIR 22 cuts the number to 32 bits before it looks, so it takes 4294967304 for 8.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = 33 }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = 64 }>
```"##
    BadConstant "E0105" "a promised value that is no number"
r##"`explicitVal` and `implicitVal` are numbers of the tensor's element type, with the type written behind unless it is `i64` or `f64`.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = "one" }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 1.0 : f32 }>
```"##
    UnknownLevelFormat "E0106" "unknown level format"
r##"A level is `dense`, `batch`, `compressed`, `loose_compressed`, `singleton` or `structured[n, m]`.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compresed) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
```"##
    UnknownLevelProperty "E0107" "unknown level property"
r##"The properties are `nonunique`, `nonordered` and `soa`, in parentheses behind the format. Levels are unique and ordered unless they say otherwise.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(nonuniq)) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(nonunique)) }>
```"##
    PropertyNotApplicable "E0108" "a property that its level cannot have"
r##"`nonunique` and `nonordered` apply to levels that store coordinates in segments, `soa` to singletons alone.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : dense(nonunique)) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed(nonunique)) }>
```"##
    BadSizes "E0109" "sizes that a structured level cannot have"
r##"`structured[n, m]` stores n of every m coordinates, 1 <= n <= m <= 255. MLIR 22 keeps both in 8 bits and lets larger numbers wrap around in silence.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[5, 4]) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
```"##
    RedefinedVariable "E0110" "a variable declared twice"
r##"Dimensions, symbols and level variables of a map share one set of names.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, i) -> (i : dense) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : dense) }>
```"##
    UndeclaredVariable "E0111" "a variable that is not declared, or may not stand here"
r##"A level's expression is over dimensions and symbols, a dimension's over level variables and symbols.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (k : compressed) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
```"##
    NotAffine "E0112" "an expression that is not affine"
r##"Levels are affine: sums, products with constants or symbols, and `floordiv`, `ceildiv` and `mod` by positive constants or symbols.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i * j : dense, j : compressed) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
```"##
    LevelVariables "E0113" "level variables that do not fit the levels"
r##"Level variables are declared in braces for every level and bound by the levels in the same order, or not used at all.

```wrong
#A = #sparse_tensor.encoding<{ map = {l1, l0}(i, j) -> (l0 = i : dense, l1 = j : dense) }>
```

```right
#A = #sparse_tensor.encoding<{ map = {l0, l1}(i, j) -> (l0 = i : dense, l1 = j : dense) }>
```"##
    BadSlice "E0114" "a slice that is none"
r##"A slice is `#sparse_tensor<slice(offset, size, stride)>`, with `?` for what is known only at run time, a size and a stride of at least 1, on a tensor whose levels are its dimensions.

```wrong
#A = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 0, 1)>) -> (i : compressed) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 4, 1)>) -> (i : compressed) }>
```"##
    SingletonParent "E0115" "a singleton without entries above it"
r##"A singleton stores one coordinate for each entry of the level above, which therefore must be compressed, loose_compressed or a singleton itself.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : singleton) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
```"##
    MixedLayouts "E0116" "singletons that disagree about soa"
r##"The levels of one COO segment share one array of tuples, or each has an array of its own (`soa`).

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique, soa), k : singleton) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique, soa), k : singleton(soa)) }>
```"##
    BatchNotLeading "E0117" "a batch level below another"
r##"Every array of the tensor gets the batch levels as leading axes, so they come first.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : batch) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : batch, j : compressed) }>
```"##
    StructuredPlace "E0118" "a structured level out of place"
r##"A structured level is the last one, all levels above it are dense, and it stores `d mod m` of a dimension that is blocked by its m.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
```"##
    LostDimension "E0119" "a dimension that no level stores"
r##"Every dimension must follow from the levels, or coordinates are lost. MLIR 22 misses this where another dimension is blocked, and crashes where a `floordiv` has no `mod`.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, i mod 2 : compressed) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense) }>
```"##
    RedundantLevel "E0120" "a level that stores nothing new"
r##"What a level stores must not follow from the levels above it. MLIR 22 accepts the same `mod` twice and then loses data.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed, i : dense) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
```"##
    NoKnownInverse "E0121" "a map that cannot be inverted"
r##"The dimensions must follow from the levels: nnz inverts sums of dimensions with whole factors, and blocks whose sizes divide each other. For other maps, give the inverse; it is proved by putting the levels into it.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (2 * i : dense, j : compressed) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (j - i : compressed, i : dense) }>
```"##
    WrongInverse "E0122" "an inverse that is wrong"
r##"With the levels' expressions in place of the level variables, each dimension's expression must give the dimension.

```wrong
#A = #sparse_tensor.encoding<{ map = {a, b}(i = b, j = a) -> (a = i : dense, b = j : compressed) }>
```

```right
#A = #sparse_tensor.encoding<{ map = {a, b}(i = a, j = b) -> (a = i : dense, b = j : compressed) }>
```"##
    ImplicitNonzero "E0123" "an implicit value that is not zero"
r##"Entries that are not stored are zero.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), implicitVal = 1.0 }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), implicitVal = 0.0 }>
```"##
    UnknownAlias "E0124" "a name that is not defined"
r##"An alias is defined above its first use, in the same section of the file.

```wrong
func.func private @f(tensor<4x4xf64, #CSR>)
```

```right
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func private @f(tensor<4x4xf64, #CSR>)
```"##
    RedefinedAlias "E0125" "an alias defined twice, or with a reserved name"
r##"An alias is defined once; names with a `.` belong to dialects.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>
#B = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
```"##
    UnknownFormatName "E0126" "a format of no known name"
r##"Formats by name are CSR, CSC, COO, DCSR, DCSC, BSR(r, c), BSC(r, c), CSF, ELL(k), DIA, DELTA(b), NM(n, m), SparseVector, dense, CROW and CCOL, and every name of the Universal Sparse Tensor: SkewDIAI, BatchedCSR, BSRRightd(r, c, batch, dense), ...

```wrong
A : tensor<2x2xf64, CRS> = [[1, 0], [0, 2]]
```

```right
A : tensor<2x2xf64, CSR> = [[1, 0], [0, 2]]
```"##
    FormatArguments "E0127" "numbers that a named format cannot take"
r##"BSR and BSC take the rows and columns of a block, ELL the number of slices, NM its n and m; COO, CSF and dense may take a rank.

```wrong
A : tensor<4x4xf64, BSR(2)> = random(density = 0.5)
```

```right
A : tensor<4x4xf64, BSR(2, 2)> = random(density = 0.5)
```"##
    UnsupportedLevelFormat "E0128" "a level format that MLIR lacks"
r##"`range` and `delta` (NVIDIA's Universal Sparse Tensor) are level formats of nnz's notation; `bitmap`, `hashed`, `run_length` and the counter `#i` (Chou 2020) are too. An `.mlir` file cannot say them: MLIR would refuse it.

```wrong
#DIA = #sparse_tensor.encoding<{ map = (i, j) -> (j - i : compressed, i : range) }>
```

```right
#DIA = #sparse_tensor.encoding<{ map = (i, j) -> (j - i : compressed, i : dense) }>
```"##
    OtherNotation "E0129" "a spelling of another notation"
r##"`/` and `%`, bare maps and formats by name are understood in nnz's notation; MLIR has its own spelling, which the fix writes.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i / 2 : compressed, i % 2 : dense) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i floordiv 2 : compressed, i mod 2 : dense) }>
```"##
    RangePlace "E0130" "a range level without a diagonal"
r##"A range level holds the coordinates of a dimension along a diagonal, so a level above it adds the dimension to another or subtracts it.

```wrong
A : (i, j) -> (i : compressed, j : range) = [[1, 0], [0, 2]]
```

```right
A : (i, j) -> (j - i : compressed, i : range) = [[1, 0], [0, 2]]
```"##
    CountFormat "E0131" "a count that its level cannot hold"
r##"The count `#i`, how many entries with the same `i` come before, is a coordinate like any other, in order and without repeats: the level that stores it is dense or compressed.

```wrong
A : (i, j) -> (#i : compressed(nonunique), i : singleton, j : singleton) = [[1, 0], [0, 2]]
```

```right
A : (i, j) -> (#i : dense, i : dense, j : singleton) = [[1, 0], [0, 2]]
```"##
    RunLengthPlace "E0132" "a run-length level that is not the innermost"
r##"A run-length level stores runs of equal values, so that nothing but values may lie below it.

```wrong
A : (i, j) -> (i : run_length, j : dense) = [[1, 0], [0, 2]]
```

```right
A : (i, j) -> (i : dense, j : run_length) = [[1, 0], [0, 2]]
```"##
    RankMismatch "E0201" "a tensor and an encoding of different ranks"
r##"The tensor has as many dimensions as the map of its encoding.

```wrong
func.func private @f(tensor<4xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>)
```

```right
func.func private @f(tensor<4x4xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>)
```"##
    ScalarTensor "E0202" "an encoding without dimensions to store"
r##"Scalars and unranked tensors have no encoding.

```wrong
func.func private @f(tensor<f64, #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>>)
```

```right
func.func private @f(tensor<4xf64, #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>>)
```"##
    ConstantType "E0203" "a promised value of another type than the elements"
r##"`explicitVal` and `implicitVal` have exactly the element type; `1` alone is `i64`, `1.0` alone is `f64`.

```wrong
func.func private @f(tensor<4xf32, #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 1.0 }>>)
```

```right
func.func private @f(tensor<4xf32, #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 1.0 : f32 }>>)
```"##
    SliceShape "E0204" "a slice that contradicts the shape"
r##"The size of a slice is the size of the tensor that the type describes.

```wrong
func.func private @f(tensor<7xf64, #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 4, 1)>) -> (i : compressed) }>>)
```

```right
func.func private @f(tensor<4xf64, #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(0, 4, 1)>) -> (i : compressed) }>>)
```"##
    ElementType "E0205" "an element type that is none"
r##"Tensors hold numbers: floats, integers, `index` and complex numbers.

```wrong
func.func private @f(tensor<4xfloat>)
```

```right
func.func private @f(tensor<4xf32>)
```"##
    BadShape "E0206" "a shape that is none"
r##"A shape is dimensions, each a number or `?`, and the element type, joined by `x`.

```wrong
func.func private @f(tensor<99999999999999999999xf64>)
```

```right
func.func private @f(tensor<4x?xf64>)
```"##
    HistoricEncoding "W0101" "a historic form"
r##"Forms of 2020 to 2024 are read as what they became; the fix writes today's form.

```wrong
#A = #sparse_tensor.encoding<{ dimLevelType = [ "dense", "compressed" ] }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
```"##
    RepeatedKey "W0102" "a key written twice"
r##"MLIR lets the last one count, in silence.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = 8, posWidth = 32 }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), posWidth = 32 }>
```"##
    UniqueHead "W0103" "a COO segment that allows one entry per coordinate"
r##"A singleton stores one coordinate for each entry above it. If those are unique, there is one entry for each row; most matrices have more. MLIR 22 accepts it and drops entries.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : singleton) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
```"##
    NonuniqueAbove "W0104" "duplicates above another compressed level"
r##"Each duplicate has its own segment below. nnz reads them together; MLIR 22 loses values.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : compressed) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
```"##
    ExplicitZero "W0105" "stored values promised to be zero"
r##"With `explicitVal = 0` every stored value counts as zero.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 0.0 }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), explicitVal = 1.0 }>
```"##
    IgnoredEncoding "W0106" "an encoding on a memref"
r##"MLIR reads it as a layout and ignores it.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func private @f(memref<4xf64, #A>)
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func private @f(tensor<4xf64, #A>)
```"##
    HistoricOperation "W0107" "an operation under an old name"
r##"The operation was renamed or changed its form.

```wrong
func.func @f(%t: tensor<4xf64>) {
  sparse_tensor.release %t : tensor<4xf64>
  return
}
```

```right
func.func @f(%t: tensor<4xf64>) {
  bufferization.dealloc_tensor %t : tensor<4xf64>
  return
}
```"##
    SilentTrait "W0108" "a sparse annotation without effect"
r##"In 2020 traits said which operands are sparse; today the operand's type does, and the annotation is ignored in silence.

```wrong
#t = { sparse = [["S"], ["D"]] }
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
```"##
    UnusedAlias "H0101" "an encoding that is never used"
r##"Nothing in this section of the file uses the alias.

```wrong
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func private @f(tensor<4xf64, #A>)
```"##
    NotMlir "H0102" "more than MLIR 22 takes"
r##"nnz stores and runs it; MLIR 22 refuses it.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (j - i : compressed, i : dense) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
```"##
    MlirMiscompiles "H0103" "legal, and wrong in MLIR 22"
r##"MLIR 22 accepts it, and crashes or computes wrong results with it; nnz does not.

```wrong
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense) }>
```

```right
#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
```"##
    UnknownCommand "E0501" "unknown command"
        "A line that starts with a colon is a command, and there is none of that name. `:help` lists them all.\n\n```wrong\n:shwo tree A\n```\n\n```right\n:show tree A\n```"
    CommandArguments "E0502" "arguments that a command cannot take"
        "The command exists, but it needs other arguments; the message says which, and the help line shows the form.\n\n```wrong\n:show A\n```\n\n```right\n:show levels A\n```"
    UnknownOperation "E0601" "an operation that nnz does not know"
r##"nnz runs the operations of MLIR 22 that sparse programs use. One that it does not know is an error before anything runs.

```wrong
func.func @main() {
  %a = arith.constant 1.0 : f64
  %b = arith.adf %a, %a : f64
  return
}
```

```right
func.func @main() {
  %a = arith.constant 1.0 : f64
  %b = arith.addf %a, %a : f64
  return
}
```"##
    ValueType "E0602" "a value of another type"
r##"Every value has the type of its definition, and operations say which types they take.

```wrong
func.func @main() {
  %a = arith.constant 1.0 : f32
  %b = arith.addf %a, %a : f64
  return
}
```

```right
func.func @main() {
  %a = arith.constant 1.0 : f64
  %b = arith.addf %a, %a : f64
  return
}
```"##
    UndefinedValue "E0603" "a value that is not defined"
r##"A value is defined once, before its uses, in the same region or in one around it.

```wrong
func.func @main() {
  vector.print %x : f64
  return
}
```

```right
func.func @main() {
  %x = arith.constant 1.0 : f64
  vector.print %x : f64
  return
}
```"##
    RedefinedValue "E0604" "a name defined twice"
r##"A value's name is given once in a function, a function's once in a module.

```wrong
func.func @main() {
  %x = arith.constant 1.0 : f64
  %x = arith.constant 2.0 : f64
  return
}
```

```right
func.func @main() {
  %x = arith.constant 1.0 : f64
  %y = arith.constant 2.0 : f64
  return
}
```"##
    OperationForm "E0605" "an operation that breaks its own rules"
r##"Operations relate their operands, attributes and regions: one indexing map for each operand, one size for each `?`. The message says which rule is broken.

```wrong
func.func @main() {
  %t = tensor.empty() : tensor<?xf64>
  return
}
```

```right
func.func @main() {
  %t = tensor.empty() : tensor<4xf64>
  return
}
```"##
    UnknownFunction "E0606" "a function that is not there"
r##"A function that is called stands in the same module, or is declared there if it is one of MLIR's run-time library.

```wrong
func.func @main() {
  call @kernel() : () -> ()
  return
}
```

```right
func.func @kernel() {
  return
}
func.func @main() {
  call @kernel() : () -> ()
  return
}
```"##
    UnsupportedProgram "E0607" "nothing that nnz can run"
r##"The text may be legal MLIR, but it uses what nnz does not compute with: an element type such as `f80`, a region of several blocks, a type of another dialect.

```wrong
func.func @main() {
  %t = tensor.empty() : tensor<4xf80>
  return
}
```

```right
func.func @main() {
  %t = tensor.empty() : tensor<4xf64>
  return
}
```"##
    NoEntry "E0608" "no function to run"
r##"`nnz run` runs the function `@main`, or the one that `-e` names; it takes no arguments.

```wrong
func.func @kernel() {
  return
}
```

```right
func.func @main() {
  return
}
```"##
    ProgramFailed "E0610" "a program that did what it must not"
r##"While the program ran, an index left its dimension, a number was divided by zero, an entry did not fit its encoding. The message says what, at the operation that did it. What was printed before stands.

```wrong
func.func @main() {
  %t = tensor.empty() : tensor<4xf64>
  %c9 = arith.constant 9 : index
  %v = tensor.extract %t[%c9] : tensor<4xf64>
  return
}
```

```right
func.func @main() {
  %t = tensor.empty() : tensor<4xf64>
  %c3 = arith.constant 3 : index
  %v = tensor.extract %t[%c3] : tensor<4xf64>
  return
}
```"##
    ProgramLimit "E0611" "a program that wants too much"
r##"The program took more steps than it may, called itself too deeply, or asked for an array beyond what fits. `--max-steps` sets another limit.

```wrong
func.func @main() {
  call @main() : () -> ()
  return
}
```

```right
func.func @main() {
  return
}
```"##
    NotRun "H0613" "legal, perhaps, but nothing that nnz runs"
"nnz passes over the operation: it belongs to a dialect, or uses a type, that nnz has not. `nnz run` reports it as an error."
    PartOfFile "W0612" "a symmetric file, of which one triangle is read"
"`sparse_tensor.new` in an MLIR program reads what a symmetric Matrix Market file stores, the one triangle, because published programs expect that of MLIR. `read` in the nnz notation reads the whole matrix."
    CompilerBug "E0900" "a bug in nnz"
        "nnz produced loops that its own verifier refuses. The input is not to blame; please report it together with the loops shown."
}

impl Code {
    pub fn severity(self) -> Severity {
        match self.text().as_bytes().first() {
            Some(b'W') => Severity::Warning,
            Some(b'H') => Severity::Hint,
            _ => Severity::Error,
        }
    }

    /// The code written as `text`, in any case.
    pub fn parse(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.text().eq_ignore_ascii_case(text))
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn codes_are_distinct_and_explained() {
        for (at, code) in Code::ALL.iter().enumerate() {
            assert!(!code.explanation().is_empty() && !code.title().is_empty());
            assert!(Code::ALL[..at].iter().all(|other| other.text() != code.text()), "{} twice", code.text());
            assert_eq!(Code::parse(code.text()), Some(*code));
        }
    }
}
