//! Words with which other languages begin or continue a statement.

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

pub(super) const LOOPS: &str =
    "an assignment holds for every value of its index variables: `y(i) = 2 * x(i)` needs no loop";
const CHOICE: &str = "a choice is made by `select(condition, x, y)` within an expression";
const FILES: &str = "`use \"file\"` takes over encodings and functions, `A : CSR = read \"file.mtx\"` reads a tensor";
pub(super) const FUNCTIONS: &str = "functions are those of MLIR programs: `use \"program.mlir\"`, then `y = @f(x)`; a kernel is written where it is used";

const CHECKS: &str = "a comparison is a kernel, whose result is shown by its name: `e : i1 = all(i, x(i) == y(i))`";

const QUERIES: &str =
    "a query is a kernel: sums of the rows are `y(i) = sum(j, A(i, j))`, a choice is `y(i) = select(x(i) > 1, x(i))`";
const SHELL: &str = "commands of a shell are typed outside of nnz";

const NAMES: &str = "names stay until the session ends; a new definition replaces the old one";
const VARIABLES: &str = "index variables are not declared: `y(i) = A(i, j) * x(j)` names them";
const FORMAT: &str = "a format stands behind the name of a tensor, `A : CSR = ...`; one of your own has a name: \
                      `#F = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>`";
const TENSORS: &str =
    "a tensor is a name, its type and what it is made from: `A : tensor<3x4xf64, CSR> = read \"file.mtx\"`";

/// Words with which people begin a statement.
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
    ("assert", Leading::Otherwise(CHECKS)),
    ("check", Leading::Otherwise(CHECKS)),
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

/// Words before the head of a loop, `for (...)`.
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

/// Words with which other languages give the type of a tensor or its sizes.
pub fn tells_type(word: &str) -> bool {
    matches!(
        word,
        "type" | "typeof" | "class" | "dtype" | "shape" | "size" | "len" | "length" | "ndim" | "ndims" | "info"
    )
}

/// An entry at a place that is rounded down.
pub const HALVED: &str =
    "an entry at a place that is computed is a sum of one term: `sum(k, select(k == floor(i / 2), x(k)))`";

pub const FLOORDIV: &str = "a quotient is written `x / y`; `floor(x / y)` rounds one of floating-point numbers down, integers divide without a rest";

/// Words that people write after an expression.
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
