//! Habits from other languages and nnz's spelling: the left of a row is the foreign form, the right nnz's. The
//! parser looks up operators and words that begin a statement; the checker looks up functions, types and formats.

/// The replacement of an operator of another language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// By another operator.
    Operator(&'static str),
    /// By a function of both operands.
    Call(&'static str),
}

/// How tightly an operator of another language binds: as the operators of nnz at that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tightness {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Power,
}

/// A row of [`OPERATORS`].
#[derive(Debug)]
pub struct Operator {
    pub written: &'static str,
    pub tightness: Tightness,
    pub instead: Instead,
    /// It can only be meant so.
    pub sure: bool,
    /// A further note; may be empty.
    pub note: &'static str,
}

const fn row(
    written: &'static str,
    tightness: Tightness,
    instead: Instead,
    sure: bool,
    note: &'static str,
) -> Operator {
    Operator { written, tightness, instead, sure, note }
}

/// Longer operators come before those that are their beginnings.
pub const OPERATORS: &[Operator] = &[
    row("**", Tightness::Power, Instead::Call("pow"), true, ""),
    row(".^", Tightness::Power, Instead::Call("pow"), true, ""),
    row("^", Tightness::Power, Instead::Call("pow"), false, "`xor(x, y)` is the exclusive or of bits"),
    row(".>=", Tightness::Comparison, Instead::Operator(">="), true, ""),
    row(".<=", Tightness::Comparison, Instead::Operator("<="), true, ""),
    row(".==", Tightness::Comparison, Instead::Operator("=="), true, ""),
    row(".!=", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row(".>", Tightness::Comparison, Instead::Operator(">"), true, ""),
    row(".<", Tightness::Comparison, Instead::Operator("<"), true, ""),
    row(".+", Tightness::Sum, Instead::Operator("+"), true, ""),
    row(".-", Tightness::Sum, Instead::Operator("-"), true, ""),
    row(".*", Tightness::Product, Instead::Operator("*"), true, ""),
    row("./", Tightness::Product, Instead::Operator("/"), true, ""),
    row("×", Tightness::Product, Instead::Operator("*"), true, ""),
    row("·", Tightness::Product, Instead::Operator("*"), true, ""),
    row("⋅", Tightness::Product, Instead::Operator("*"), true, ""),
    row("∗", Tightness::Product, Instead::Operator("*"), true, ""),
    row("÷", Tightness::Product, Instead::Operator("/"), true, ""),
    row(
        "@",
        Tightness::Product,
        Instead::Operator("*"),
        false,
        "a product of matrices names its indices: `C(i, j) = A(i, k) * B(k, j)`",
    ),
    row(
        "%",
        Tightness::Product,
        Instead::Call("mod"),
        false,
        "`mod` rounds down, as Python's `%`; `rem` truncates, as C's",
    ),
    row("−", Tightness::Sum, Instead::Operator("-"), true, ""),
    row("–", Tightness::Sum, Instead::Operator("-"), true, ""),
    row("AND", Tightness::And, Instead::Operator("and"), true, ""),
    row("OR", Tightness::Or, Instead::Operator("or"), true, ""),
    row("&&", Tightness::And, Instead::Operator("and"), true, ""),
    row("&", Tightness::And, Instead::Operator("and"), false, ""),
    row("∧", Tightness::And, Instead::Operator("and"), true, ""),
    row("||", Tightness::Or, Instead::Operator("or"), true, ""),
    row("|", Tightness::Or, Instead::Operator("or"), false, ""),
    row("∨", Tightness::Or, Instead::Operator("or"), true, ""),
    row("=/=", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("=!=", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("===", Tightness::Comparison, Instead::Operator("=="), true, ""),
    row("!==", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("=>", Tightness::Comparison, Instead::Operator(">="), false, ""),
    row("=<", Tightness::Comparison, Instead::Operator("<="), false, ""),
    row("<>", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("~=", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("≠", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("≤", Tightness::Comparison, Instead::Operator("<="), true, ""),
    row("≥", Tightness::Comparison, Instead::Operator(">="), true, ""),
];

/// The operator of another language that `text` begins with.
pub fn operator(text: &str, tightness: Tightness) -> Option<&'static Operator> {
    // This is asked at every token of an expression, and most begin no operator.
    let byte = text.as_bytes().first();
    let mut rows = OPERATORS.iter().filter(|row| row.written.as_bytes().first() == byte);
    let is_word = |row: &Operator| row.written.starts_with(|c: char| c.is_ascii_alphabetic());
    let goes_on =
        |row: &Operator| text[row.written.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let first = rows.find(|row| text.starts_with(row.written) && !(is_word(row) && goes_on(row)))?;
    (first.tightness == tightness).then_some(first)
}

/// What an operator computes of the bits of integers, in C and in Python.
pub fn of_bits(written: &str) -> Option<&'static str> {
    match written {
        "&" => Some("bitand"),
        "|" => Some("bitor"),
        "^" => Some("xor"),
        "~" => Some("bitnot"),
        _ => None,
    }
}

/// The purpose of a word at the beginning of a statement, if something follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leading {
    /// `show A`: a command without its colon.
    Command(&'static str),
    /// `print A`: the name alone shows it.
    Print,
    /// `let x = ...`: the word is not needed.
    Declare,
    /// `double x = ...`: a scalar of this type.
    Type(&'static str),
    /// Something that the notation does otherwise, and how.
    Otherwise(&'static str),
}

const LOOPS: &str = "an assignment holds for every value of its index variables: `y(i) = 2 * x(i)` needs no loop";
const CHOICE: &str = "a choice is made by `select(condition, x, y)` within an expression";
const FILES: &str = "`use \"file\"` takes over encodings and functions, `A : CSR = read \"file.mtx\"` reads a tensor";
const FUNCTIONS: &str = "functions are those of MLIR programs: `use \"program.mlir\"`, then `y = @f(x)`; a kernel is written where it is used";

const QUERIES: &str =
    "a query is a kernel: sums of the rows are `y(i) = sum(j, A(i, j))`, a choice is `y(i) = select(x(i) > 1, x(i))`";
const SHELL: &str = "commands of a shell are typed outside of nnz";

const NAMES: &str = "names stay until the session ends; a new definition replaces the old one";
const VARIABLES: &str = "index variables are not declared: `y(i) = A(i, j) * x(j)` names them";
const FORMAT: &str = "a format stands behind the name of a tensor, `A : CSR = ...`; one of your own has a name: \
                      `#F = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>`";
const TENSORS: &str =
    "a tensor is a name, its type and what it is made from: `A : tensor<3x4xf64, CSR> = read \"file.mtx\"`";

/// Words that people begin a statement with.
pub const LEADING: &[(&str, Leading)] = &[
    ("show", Leading::Command("show")),
    ("dump", Leading::Command("dump")),
    ("spy", Leading::Command("spy")),
    ("plot", Leading::Command("spy")),
    ("time", Leading::Command("time")),
    ("timeit", Leading::Command("time")),
    ("type", Leading::Command("type")),
    ("typeof", Leading::Command("type")),
    ("vars", Leading::Command("vars")),
    ("write", Leading::Command("write")),
    ("save", Leading::Command("write")),
    ("set", Leading::Command("set")),
    ("explain", Leading::Command("explain")),
    ("help", Leading::Command("help")),
    ("quit", Leading::Command("quit")),
    ("exit", Leading::Command("quit")),
    ("who", Leading::Command("vars")),
    ("whos", Leading::Command("vars")),
    ("dir", Leading::Command("vars")),
    ("print", Leading::Print),
    ("println", Leading::Print),
    ("printf", Leading::Print),
    ("display", Leading::Print),
    ("disp", Leading::Print),
    ("echo", Leading::Print),
    ("puts", Leading::Print),
    ("let", Leading::Declare),
    ("var", Leading::Declare),
    ("val", Leading::Declare),
    ("const", Leading::Declare),
    ("auto", Leading::Declare),
    ("local", Leading::Declare),
    ("double", Leading::Type("f64")),
    ("real", Leading::Type("f64")),
    ("float", Leading::Type("f32")),
    ("float64", Leading::Type("f64")),
    ("float32", Leading::Type("f32")),
    ("f64", Leading::Type("f64")),
    ("f32", Leading::Type("f32")),
    ("int", Leading::Type("i32")),
    ("long", Leading::Type("i64")),
    ("int64", Leading::Type("i64")),
    ("int32", Leading::Type("i32")),
    ("i64", Leading::Type("i64")),
    ("i32", Leading::Type("i32")),
    ("bool", Leading::Type("i1")),
    ("for", Leading::Otherwise(LOOPS)),
    ("foreach", Leading::Otherwise(LOOPS)),
    ("forall", Leading::Otherwise(LOOPS)),
    ("while", Leading::Otherwise(LOOPS)),
    ("if", Leading::Otherwise(CHOICE)),
    ("import", Leading::Otherwise(FILES)),
    ("from", Leading::Otherwise(FILES)),
    ("include", Leading::Otherwise(FILES)),
    ("using", Leading::Otherwise(FILES)),
    ("load", Leading::Otherwise(FILES)),
    ("read", Leading::Otherwise(FILES)),
    ("source", Leading::Otherwise(FILES)),
    ("def", Leading::Otherwise(FUNCTIONS)),
    ("function", Leading::Otherwise(FUNCTIONS)),
    ("fn", Leading::Otherwise(FUNCTIONS)),
    ("func", Leading::Otherwise(FUNCTIONS)),
    ("return", Leading::Otherwise("a statement is its own result: a name alone shows its value")),
    ("del", Leading::Otherwise(NAMES)),
    ("delete", Leading::Otherwise(NAMES)),
    ("clear", Leading::Otherwise(NAMES)),
    ("clearvars", Leading::Otherwise(NAMES)),
    ("unset", Leading::Otherwise(NAMES)),
    ("drop", Leading::Otherwise(NAMES)),
    ("free", Leading::Otherwise(NAMES)),
    ("SELECT", Leading::Otherwise(QUERIES)),
    ("select", Leading::Otherwise(QUERIES)),
    ("INSERT", Leading::Otherwise(QUERIES)),
    ("UPDATE", Leading::Otherwise(QUERIES)),
    ("CREATE", Leading::Otherwise(QUERIES)),
    ("pip", Leading::Otherwise(SHELL)),
    ("cargo", Leading::Otherwise(SHELL)),
    ("nnz", Leading::Otherwise(SHELL)),
    ("cd", Leading::Otherwise(SHELL)),
    ("ls", Leading::Otherwise(SHELL)),
    ("IndexVar", Leading::Otherwise(VARIABLES)),
    ("index", Leading::Otherwise(VARIABLES)),
    ("syms", Leading::Otherwise(VARIABLES)),
    ("Tensor", Leading::Otherwise(TENSORS)),
    ("Matrix", Leading::Otherwise(TENSORS)),
    ("Vector", Leading::Otherwise(TENSORS)),
    ("Format", Leading::Otherwise(FORMAT)),
    ("format", Leading::Otherwise(FORMAT)),
    ("encoding", Leading::Otherwise(FORMAT)),
    ("storage", Leading::Otherwise(FORMAT)),
];

/// Statements that other languages close with a keyword.
pub fn opens_block(word: &str) -> bool {
    matches!(leading(word), Some(Leading::Otherwise(LOOPS | CHOICE | FUNCTIONS)))
}

/// Words that stand in front of the head of a loop, `for (...)`.
pub fn heads_loop(word: &str) -> bool {
    matches!(leading(word), Some(Leading::Otherwise(LOOPS)))
}

/// Words that close them.
pub fn closes_block(word: &str) -> bool {
    matches!(word, "end" | "endfor" | "endif" | "endwhile" | "endfunction" | "done" | "fi" | "od")
}

pub fn leading(word: &str) -> Option<Leading> {
    LEADING.iter().find(|(written, _)| *written == word).map(|(_, leading)| *leading)
}

/// Words by which other languages tell the type of a tensor or its sizes.
pub fn tells_type(word: &str) -> bool {
    matches!(
        word,
        "type" | "typeof" | "class" | "dtype" | "shape" | "size" | "len" | "length" | "ndim" | "ndims" | "info"
    )
}

const FLOORDIV: &str = "a quotient is written `x / y`; `floor(x / y)` rounds one of floating-point numbers down, integers divide without a rest";

/// Words that people write behind an expression.
pub const TRAILING: &[(&str, &str)] = &[
    ("where", CHOICE),
    ("if", CHOICE),
    ("when", CHOICE),
    ("for", LOOPS),
    ("mod", "the remainder is a function: `mod(x, y)`"),
    ("rem", "the remainder is a function: `rem(x, y)`"),
    ("div", FLOORDIV),
    ("xor", "the exclusive or is a function: `xor(x, y)`"),
    ("XOR", "the exclusive or is a function: `xor(x, y)`"),
    ("floordiv", FLOORDIV),
    ("as", "a conversion is called like a function: `f32(x)`"),
    ("in", "an index variable runs over all of the dimensions that it indexes"),
    ("is", "values are compared by `==` and `!=`"),
    ("isa", "values are compared by `==` and `!=`"),
    ("then", CHOICE),
    ("else", CHOICE),
    ("to", "a range is written `first:end`, a conversion `f32(x)`"),
    ("with", "a schedule is written `schedule STEP(...)`"),
];

pub fn trailing(word: &str) -> Option<&'static str> {
    TRAILING.iter().find(|(written, _)| *written == word).map(|(_, help)| *help)
}

/// Letters that people name things with, in ASCII.
const LETTERS: &[(&str, &str)] = &[
    ("α", "alpha"),
    ("β", "beta"),
    ("γ", "gamma"),
    ("δ", "delta"),
    ("ε", "epsilon"),
    ("η", "eta"),
    ("θ", "theta"),
    ("λ", "lambda"),
    ("μ", "mu"),
    ("ν", "nu"),
    ("π", "pi"),
    ("ρ", "rho"),
    ("σ", "sigma"),
    ("τ", "tau"),
    ("φ", "phi"),
    ("ω", "omega"),
    ("Δ", "Delta"),
    ("Σ", "Sigma"),
    ("∞", "inf"),
    // Cyrillic letters that look like Latin ones.
    ("у", "y"),
    ("х", "x"),
    ("а", "a"),
    ("е", "e"),
    ("о", "o"),
    ("р", "p"),
    ("с", "c"),
    ("і", "i"),
    ("ј", "j"),
    ("А", "A"),
    ("В", "B"),
    ("С", "C"),
    ("М", "M"),
    ("Х", "X"),
];

pub fn letter(text: &str) -> Option<&'static str> {
    LETTERS.iter().find(|(written, _)| *written == text).map(|(_, ascii)| *ascii)
}

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
/// What other languages write `A \ x`.
pub const SOLVER: &str =
    "systems of equations are not solved: a solver is a loop of kernels such as `y(i) = A(i, j) * x(j)`";
const COUNT: &str =
    "`A` shows how many entries it stores; a kernel counts them: `n : i64 = sum(i, j, unary(A(i, j), present = 1))`";
const SHAPE: &str = "`:type A` tells the sizes";
const TRANSPOSE: &str = "a transpose names its indices: `B(i, j) : CSR = A(j, i)`";
const PRODUCT: &str = "a product names its indices: `C(i, j) : CSR = A(i, k) * B(k, j)`";
const FILLED: &str = "a tensor of one value is `x : tensor<4xf64> = dense<0>`, or 1, or any other";
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
const COUNTED: &str = "an index variable is a number too: `x(i) : tensor<4xf64> = i`";

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
    ("norm", Function::Said("a norm is a kernel: `n : f64 = sqrt(sum(i, x(i) * x(i)))`")),
    ("dot", Function::Said("a product of vectors is a kernel: `s : f64 = sum(i, x(i) * y(i))`")),
    ("inner", Function::Said("a product of vectors is a kernel: `s : f64 = sum(i, x(i) * y(i))`")),
    ("outer", Function::Said("an outer product names its indices: `C(i, j) = x(i) * y(j)`")),
    ("trace", Function::Said("a trace is a kernel: `t : f64 = sum(i, A(i, i))`")),
    ("matmul", Function::Said(PRODUCT)),
    ("mm", Function::Said(PRODUCT)),
    ("spmm", Function::Said(PRODUCT)),
    ("spmv", Function::Said("a product names its indices: `y(i) = A(i, j) * x(j)`")),
    ("einsum", Function::Said(PRODUCT)),
    ("transpose", Function::Said(TRANSPOSE)),
    ("nnz", Function::Said(COUNT)),
    ("count", Function::Said(COUNT)),
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
    ("arange", Function::Said(COUNTED)),
    ("range", Function::Said(COUNTED)),
    ("linspace", Function::Said(COUNTED)),
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

/// The replacement of a function of another language; a module in front of it, as in `np.zeros`, is ignored.
pub fn function(name: &str) -> Option<&'static Function> {
    let bare = name.rsplit('.').next().unwrap_or(name);
    FUNCTION_HABITS.iter().find(|(written, _)| *written == bare).map(|(_, function)| function)
}

/// Element types and formats by the names that other tools give them.
const TYPES: &[(&str, &str)] = &[
    ("double", "f64"),
    ("float", "f64"),
    ("real", "f64"),
    ("float64", "f64"),
    ("fp64", "f64"),
    ("single", "f32"),
    ("float32", "f32"),
    ("fp32", "f32"),
    ("half", "f16"),
    ("float16", "f16"),
    ("bfloat16", "bf16"),
    ("int", "i64"),
    ("integer", "i64"),
    ("long", "i64"),
    ("int64", "i64"),
    ("int32", "i32"),
    ("int16", "i16"),
    ("int8", "i8"),
    ("uint8", "ui8"),
    ("uint32", "ui32"),
    ("uint64", "ui64"),
    ("bool", "i1"),
    ("boolean", "i1"),
    ("usize", "index"),
    ("size_t", "index"),
    ("complex", "complex<f64>"),
    ("complex64", "complex<f32>"),
    ("complex128", "complex<f64>"),
    ("CRS", "CSR"),
    ("csr_matrix", "CSR"),
    ("csr_array", "CSR"),
    ("CCS", "CSC"),
    ("csc_matrix", "CSC"),
    ("csc_array", "CSC"),
    ("coo_matrix", "COO"),
    ("coo_array", "COO"),
    ("BCSR", "BSR(2, 2)"),
    ("BCRS", "BSR(2, 2)"),
];

/// The element type that `(name) x` converts to: as C means it.
pub fn cast(name: &str) -> Option<&'static str> {
    match name {
        "float" => Some("f32"),
        "int" => Some("i32"),
        "f64" => Some("f64"),
        "f32" => Some("f32"),
        "i64" => Some("i64"),
        "i32" => Some("i32"),
        _ => type_name(name).filter(|own| !own.starts_with(|c: char| c.is_ascii_uppercase())),
    }
}

/// The number that other languages call `name`.
pub fn constant(name: &str) -> Option<&'static str> {
    match name {
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        "NaN" | "NAN" | "NA" => Some("nan"),
        "Inf" | "INF" | "Infinity" | "INFINITY" => Some("inf"),
        _ => None,
    }
}

/// Functions of other languages that make a tensor from a list.
pub fn makes_tensor(name: &str) -> bool {
    let bare = name.rsplit('.').next().unwrap_or(name);
    matches!(bare, "array" | "asarray" | "tensor" | "Tensor" | "matrix" | "Matrix" | "vector" | "list" | "sparse")
        || bare.ends_with("_matrix")
        || bare.ends_with("_array")
}

/// The type or format that another tool calls `name`.
pub fn type_name(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(written, _)| *written == name).map(|(_, own)| *own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_operator_hides_a_longer_one() {
        for (at, row) in OPERATORS.iter().enumerate() {
            let hidden = OPERATORS[..at].iter().find(|earlier| row.written.starts_with(earlier.written));
            assert!(hidden.is_none(), "{row:?} stands behind {hidden:?}");
        }
    }
}
