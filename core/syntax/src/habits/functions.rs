//! Functions of other languages.

use super::words::{FUNCTIONS, LOOPS};

/// A function of another language, and its replacement.
#[derive(Debug)]
pub enum Function {
    /// The same under another name.
    Named(&'static str),
    /// Another construct replaces it, described in words.
    Said(&'static str),
}

const ENTRIES: &str =
    "entries are listed by `A : tensor<3x3xf64, CSR> = sparse<[[0, 1], [2, 0]], [1.5, 2.5]>`: coordinates, then values";
const SUM_OF: &str = "divide the sum by the number of terms: `sum(i, x(i)) / 100`";
const SPREAD: &str = "a deviation is made of sums: the mean `m : f64 = sum(i, x(i)) / 100`, then \
                      `s : f64 = sqrt(sum(i, square(x(i) - m)) / 100)`";
/// The function that other languages write as `A \ x`.
pub const SOLVER: &str =
    "systems of equations are not solved: a solver is a loop of kernels such as `y(i) = A(i, j) * x(j)`";
const COUNT: &str =
    "`A` shows how many entries it stores; a kernel counts them: `n : i64 = sum(i, j, unary(A(i, j), present = 1))`";
const CONDITIONS: &str =
    "a count is a sum of conditions: `y(i) = sum(j, i64(A(i, j) > 1))`; how many entries `A` stores shows `A` alone";
const SHAPE: &str = "`:type A` tells the sizes";
const TRANSPOSE: &str = "a transpose names its indices: `B(i, j) : CSR = A(j, i)`";
const PRODUCT: &str = "a product names its indices: `C(i, j) : CSR = A(i, k) * B(k, j)`";
const FILLED: &str = "a tensor of one value is `x : tensor<4xf64> = dense<0>`, or 1, or any other";
const COPIES: &str = "copies in blocks are an outer product: `B(k, i, j) = u(k) * A(i, j)` with ones in `u`";
const CLAMPED: &str = "bounds are kept by `min(max(x, 0), 1)`";
const IDENTITY: &str = "an identity is a kernel: `I(i, j) : tensor<4x4xf64, CSR> = select(i == j, 1.0)`";
const DIAGONAL: &str =
    "a diagonal is a kernel: `d(i) = A(i, i)`, and back `D(i, j) : tensor<4x4xf64, CSR> = select(i == j, d(i))`";
pub const JOINED: &str = "tensors are joined by a program: `sparse_tensor.concatenate` or `tensor.concat` in a function of a `.mlir` file, \
                      then `C = @f(A, B)`";
const AT_ONCE: &str = "a statement computes at once: its result can be used behind it";
const RESHAPED: &str = "a tensor keeps its dimensions in a session; `tensor.reshape`, `collapse_shape` and `expand_shape` are for a \
                        function of a `.mlir` file";
const TRIANGLE: &str = "a triangle is a kernel: `L(i, j) : CSR = select(j <= i, A(i, j))`, or `j >= i`";
const CONVERTED: &str = "a tensor is converted by its type: `B : CSR = A`";
const RUNNING: &str =
    "a running sum is a kernel, with the type of its result: `y(i) : tensor<4xf64> = sum(j, select(j <= i, x(j)))`";
const FACTORED: &str = "nothing is factored here: kernels multiply, add and reduce, as in `y(i) = A(i, j) * x(j)`";
/// What `x[::-1]` means.
pub const REVERSED: &str = "entries are turned round by their index, as in `y(i) : tensor<4xf64> = x(3 - i)`";
/// What a list of numbers by a rule is.
pub(crate) const COUNTED: &str = "an index variable counts from 0: `y(i) : tensor<4xf64> = i + 1` holds 1, 2, 3, 4";
const NUMBERED: &str = "an index variable is a number too: `x(i) : tensor<4xf64> = i`";

/// The format into which a method of other languages converts a tensor.
pub fn format_of_method(method: &str) -> Option<&'static str> {
    match method {
        "tocsr" => Some("CSR"),
        "tocsc" => Some("CSC"),
        "tocoo" => Some("COO"),
        "todense" | "toarray" | "to_dense" | "densify" => Some("dense"),
        _ => None,
    }
}

pub const FUNCTION_HABITS: &[(&str, Function)] = &[
    ("ln", Function::Named("log")),
    ("where", Function::Named("select")),
    ("ifelse", Function::Named("select")),
    ("cond", Function::Named("select")),
    ("iif", Function::Named("select")),
    ("if", Function::Named("select")),
    ("fabs", Function::Named("abs")),
    ("absolute", Function::Named("abs")),
    ("arcsin", Function::Named("asin")),
    ("arccos", Function::Named("acos")),
    ("arctan", Function::Named("atan")),
    ("arctan2", Function::Named("atan2")),
    ("sgn", Function::Named("sign")),
    ("signum", Function::Named("sign")),
    ("sqr", Function::Named("square")),
    ("power", Function::Named("pow")),
    ("maximum", Function::Named("max")),
    ("fmax", Function::Named("max")),
    ("minimum", Function::Named("min")),
    ("fmin", Function::Named("min")),
    ("ceiling", Function::Named("ceil")),
    ("fmod", Function::Named("rem")),
    ("fix", Function::Named("trunc")),
    ("conjugate", Function::Named("conj")),
    ("arg", Function::Named("angle")),
    ("product", Function::Named("prod")),
    ("double", Function::Named("f64")),
    ("float", Function::Named("f64")),
    ("float64", Function::Named("f64")),
    ("float32", Function::Named("f32")),
    ("int", Function::Named("i64")),
    ("long", Function::Named("i64")),
    ("int64", Function::Named("i64")),
    ("int32", Function::Named("i32")),
    ("int16", Function::Named("i16")),
    ("int8", Function::Named("i8")),
    ("uint64", Function::Named("ui64")),
    ("uint32", Function::Named("ui32")),
    ("uint16", Function::Named("ui16")),
    ("uint8", Function::Named("ui8")),
    ("Float64", Function::Named("f64")),
    ("Float32", Function::Named("f32")),
    ("Float16", Function::Named("f16")),
    ("Int64", Function::Named("i64")),
    ("Int32", Function::Named("i32")),
    ("Int16", Function::Named("i16")),
    ("Int8", Function::Named("i8")),
    ("Bool", Function::Named("i1")),
    ("bool", Function::Named("i1")),
    ("mean", Function::Said(SUM_OF)),
    ("average", Function::Said(SUM_OF)),
    ("avg", Function::Said(SUM_OF)),
    ("std", Function::Said(SPREAD)),
    ("stddev", Function::Said(SPREAD)),
    ("var", Function::Said(SPREAD)),
    ("variance", Function::Said(SPREAD)),
    ("inv", Function::Said(SOLVER)),
    ("pinv", Function::Said(SOLVER)),
    ("solve", Function::Said(SOLVER)),
    ("spsolve", Function::Said(SOLVER)),
    ("linsolve", Function::Said(SOLVER)),
    ("lstsq", Function::Said(SOLVER)),
    (
        "norm",
        Function::Said(
            "a norm is a kernel: `n : f64 = sqrt(sum(i, x(i) * x(i)))`, of a matrix `sqrt(sum(i, j, A(i, j) * A(i, j)))`",
        ),
    ),
    (
        "softmax",
        Function::Said(
            "a softmax is made of kernels: `e(i) = exp(x(i) - m)` with the maximum `m`, then `y(i) = e(i) / s` with the sum `s`",
        ),
    ),
    ("tile", Function::Said(COPIES)),
    ("repeat", Function::Said(COPIES)),
    ("mv", Function::Said("a product names its indices: `y(i) = A(i, j) * x(j)`")),
    ("dot", Function::Said("a product of vectors is a kernel: `s : f64 = sum(i, x(i) * y(i))`")),
    ("inner", Function::Said("a product of vectors is a kernel: `s : f64 = sum(i, x(i) * y(i))`")),
    ("outer", Function::Said("an outer product names its indices: `C(i, j) = x(i) * y(j)`")),
    ("trace", Function::Said("a trace is a kernel: `t : f64 = sum(i, A(i, i))`")),
    ("matmul", Function::Said(PRODUCT)),
    ("mm", Function::Said(PRODUCT)),
    ("GrB_mxm", Function::Said(PRODUCT)),
    ("GrB_mxv", Function::Said("a product names its indices: `y(i) = A(i, j) * x(j)`")),
    ("GrB_vxm", Function::Said("a product names its indices: `y(j) = x(i) * A(i, j)`")),
    ("GrB_eWiseAdd", Function::Said("entries are added by a kernel: `C(i, j) : CSR = A(i, j) + B(i, j)`")),
    ("GrB_eWiseMult", Function::Said("entries are multiplied by a kernel: `C(i, j) : CSR = A(i, j) * B(i, j)`")),
    ("spmm", Function::Said(PRODUCT)),
    ("spmv", Function::Said("a product names its indices: `y(i) = A(i, j) * x(j)`")),
    ("einsum", Function::Said(PRODUCT)),
    ("transpose", Function::Said(TRANSPOSE)),
    ("nnz", Function::Said(COUNT)),
    ("count", Function::Said(CONDITIONS)),
    ("nvals", Function::Said(COUNT)),
    ("len", Function::Said(SHAPE)),
    ("length", Function::Said(SHAPE)),
    ("size", Function::Said(SHAPE)),
    ("shape", Function::Said(SHAPE)),
    ("dtype", Function::Said(SHAPE)),
    ("ndim", Function::Said(SHAPE)),
    ("ndims", Function::Said(SHAPE)),
    ("zeros", Function::Said(FILLED)),
    ("ones", Function::Said(FILLED)),
    ("full", Function::Said(FILLED)),
    ("fill", Function::Said(FILLED)),
    ("eye", Function::Said(IDENTITY)),
    ("I", Function::Said(IDENTITY)),
    ("clip", Function::Said(CLAMPED)),
    ("clamp", Function::Said(CLAMPED)),
    ("identity", Function::Said(IDENTITY)),
    ("speye", Function::Said(IDENTITY)),
    ("diag", Function::Said(DIAGONAL)),
    ("diagonal", Function::Said(DIAGONAL)),
    ("tril", Function::Said(TRIANGLE)),
    ("triu", Function::Said(TRIANGLE)),
    ("kron", Function::Said("a Kronecker product has an index for each of both: `K(i, k, j, l) = A(i, j) * B(k, l)`")),
    ("cumsum", Function::Said(RUNNING)),
    ("reshape", Function::Said(RESHAPED)),
    ("ravel", Function::Said(RESHAPED)),
    ("flatten", Function::Said(RESHAPED)),
    ("concat", Function::Said(JOINED)),
    ("concatenate", Function::Said(JOINED)),
    ("vstack", Function::Said(JOINED)),
    ("hstack", Function::Said(JOINED)),
    ("stack", Function::Said(JOINED)),
    ("vcat", Function::Said(JOINED)),
    ("hcat", Function::Said(JOINED)),
    ("coo", Function::Said(ENTRIES)),
    ("coo_matrix", Function::Said(ENTRIES)),
    ("coo_array", Function::Said(ENTRIES)),
    ("arange", Function::Said(NUMBERED)),
    ("range", Function::Said(NUMBERED)),
    ("linspace", Function::Said(NUMBERED)),
    ("rand", Function::Said("a random tensor is `random(density = 0.01)`, and its type tells its sizes")),
    ("sprand", Function::Said("a random tensor is `random(density = 0.01)`, and its type tells its sizes")),
    ("random", Function::Said("a random tensor is `random(density = 0.01)`, and its type tells its sizes")),
    ("toarray", Function::Said(CONVERTED)),
    ("todense", Function::Said(CONVERTED)),
    ("tocsr", Function::Said(CONVERTED)),
    ("tocsc", Function::Said(CONVERTED)),
    ("tocoo", Function::Said(CONVERTED)),
    ("asformat", Function::Said(CONVERTED)),
    ("sparse", Function::Said(ENTRIES)),
    ("csr_matrix", Function::Said(CONVERTED)),
    ("sort", Function::Said("nnz does not sort values; `argmax(i, x(i))` finds the greatest")),
    ("load", Function::Said("a file is read by `read \"file.mtx\"`")),
    ("mmread", Function::Said("a file is read by `read \"file.mtx\"`")),
    ("read", Function::Said("a file is read by `read \"file.mtx\"`, without parentheses")),
    ("compile", Function::Said(AT_ONCE)),
    ("assemble", Function::Said(AT_ONCE)),
    ("compute", Function::Said(AT_ONCE)),
    ("evaluate", Function::Said(AT_ONCE)),
    ("pack", Function::Said(ENTRIES)),
    ("insert", Function::Said(ENTRIES)),
    ("lambda", Function::Said(FUNCTIONS)),
    ("forall", Function::Said(LOOPS)),
    ("numel", Function::Said(SHAPE)),
    ("det", Function::Said(FACTORED)),
    ("lu", Function::Said(FACTORED)),
    ("qr", Function::Said(FACTORED)),
    ("chol", Function::Said(FACTORED)),
    ("svd", Function::Said(FACTORED)),
    ("eig", Function::Said(FACTORED)),
    ("eigs", Function::Said(FACTORED)),
    ("spzeros", Function::Said("a tensor without entries is `A : tensor<4x4xf64, CSR> = sparse<[], []>`")),
    ("map", Function::Said("a function of each entry is a kernel: `y(i) = sqrt(x(i))`")),
    ("apply", Function::Said("a function of each entry is a kernel: `y(i) = sqrt(x(i))`")),
    ("reverse", Function::Said(REVERSED)),
    ("flip", Function::Said(REVERSED)),
    (
        "find",
        Function::Said(
            "`:show tree A` shows the entries and where they are, `:show levels A` the arrays that hold them",
        ),
    ),
    (
        "nonzero",
        Function::Said(
            "`:show tree A` shows the entries and where they are, `:show levels A` the arrays that hold them",
        ),
    ),
    (
        "findnz",
        Function::Said(
            "`:show tree A` shows the entries and where they are, `:show levels A` the arrays that hold them",
        ),
    ),
    ("print", Function::Said("a name alone shows its value")),
];

const ARRAYS: &str = "`:show levels A` shows the arrays that hold the entries and where they are";
const ENTRYWISE: &str = "an operation on entries names their indices: `C(i, j) = A(i, j) * B(i, j)`";

/// Members of the matrices of SciPy, and what replaces them, beside [`FUNCTION_HABITS`].
const MEMBERS: &[(&str, &str)] = &[
    ("data", ARRAYS),
    ("indptr", ARRAYS),
    ("indices", ARRAYS),
    ("row", ARRAYS),
    ("col", ARRAYS),
    ("coords", ARRAYS),
    ("multiply", ENTRYWISE),
    ("maximum", "the greater of two entries is `C(i, j) = max(A(i, j), B(i, j))`"),
    ("minimum", "the less of two entries is `C(i, j) = min(A(i, j), B(i, j))`"),
    ("getnnz", COUNT),
    ("count_nonzero", COUNT),
    ("getrow", "a row is a kernel: `r(j) = A(0, j)`"),
    ("getcol", "a column is a kernel: `c(i) = A(i, 0)`"),
    ("astype", "entries are converted by a kernel: `C(i, j) = f32(A(i, j))`"),
    ("format", SHAPE),
    ("setdiag", DIAGONAL),
    ("eliminate_zeros", "a kernel leaves entries out: `C(i, j) : CSR = select(A(i, j) != 0, A(i, j))`"),
    ("sum_duplicates", "entries at one place are summed when a tensor is made"),
    ("sort_indices", "entries are stored in order unless an encoding says `nonordered`"),
    ("tobsr", "a tensor is converted by its type: `B : BSR(2, 2) = A`"),
    ("todia", CONVERTED),
    ("todok", CONVERTED),
    ("tolil", CONVERTED),
];

/// What replaces a member of a matrix in other languages.
pub fn member(name: &str) -> Option<&'static str> {
    let known = MEMBERS.iter().find(|(written, _)| *written == name).map(|(_, how)| *how);
    known.or(match function(name) {
        Some(Function::Said(how)) => Some(how),
        Some(Function::Named(_)) | None => None,
    })
}

/// The replacement of a function of another language; a module in front of it, as in `np.zeros`, is ignored.
pub fn function(name: &str) -> Option<&'static Function> {
    let bare = name.rsplit('.').next().unwrap_or(name);
    FUNCTION_HABITS.iter().find(|(written, _)| *written == bare).map(|(_, function)| function)
}

/// Whether a function of other languages writes a file.
pub fn writes(name: &str) -> bool {
    let bare = name.rsplit('.').next().unwrap_or(name);
    matches!(bare, "mmwrite" | "write" | "save" | "save_npz" | "savemat" | "savetxt" | "fwrite" | "export" | "to_file")
}

/// Functions of other languages that make a tensor from a list.
pub fn makes_tensor(name: &str) -> bool {
    let bare = name.rsplit('.').next().unwrap_or(name);
    matches!(bare, "array" | "asarray" | "tensor" | "Tensor" | "matrix" | "Matrix" | "vector" | "list" | "sparse")
        || ["_matrix", "_array"].iter().any(|end| bare.ends_with(end))
        || bare.ends_with("_matrix")
        || bare.ends_with("_array")
}
