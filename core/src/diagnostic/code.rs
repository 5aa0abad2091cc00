//! The register of codes. A code is stable once published: it is never given another meaning.
//! E0001-E0099 syntax, E0100-E0199 encodings, E0200-E0299 types and literals, E0300-E0399 kernels,
//! E0400-E0499 storage and files, E0500-E0599 sessions, E0900 compiler bugs;
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
        "A kernel computes in one element type. nnz converts no operand in silence: define a converted tensor first.\n\n```wrong\nx : tensor<2xf32> = [1, 2]\ny : tensor<2xf64> = [1, 2]\nz(i) = x(i) + y(i)\n```\n\n```right\nx2 : tensor<2xf64> = x\nz(i) = x2(i) + y(i)\n```"
    AssignmentTarget "E0325" "nothing that can be assigned to"
        "The left side of a kernel is a name with its index variables, that of a scalar a name and its type.\n\n```wrong\ns = A(i, j) * A(i, j)\n```\n\n```right\ns : f64 = A(i, j) * A(i, j)\n```"
    InvalidKernel "E0326" "an assignment without a clear meaning"
        "The message says which rule is broken. The most frequent one: a sum over an index variable of which it is open where it belongs.\n\n```wrong\ny(i) = A(i, j) * (x(j) + z(k))\n```\n\n```right\ny(i) = A(i, j) * (x(j) + sum(k, z(k)))\n```"
    NotYet "E0327" "not carried out yet"
        "The text is legal, but this version of nnz cannot carry it out; the message and its help say what works instead."
    BadFile "E0450" "a file that cannot be used"
        "The file cannot be opened, or its contents contradict its format; the message names the line and column.\n\n```wrong\nM : CSR = read \"matrix.txt\"\n```\n\n```right\nM : CSR = read \"matrix.mtx\"\n```"
    BadData "E0451" "data that do not fit their encoding"
        "The encoding promises something that the data break: a narrow width, `structured[2, 4]`, an explicit value.\n\n```wrong\n#N = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), crdWidth = 8 }>\nv : tensor<1000xf64, #N> = sparse<[[999]], [1.0]>\n```\n\n```right\n#N = #sparse_tensor.encoding<{ map = (i) -> (i : compressed), crdWidth = 16 }>\nv : tensor<1000xf64, #N> = sparse<[[999]], [1.0]>\n```"
    RunFailed "E0510" "a kernel that could not be run"
        "The kernel is legal, but the chosen target could not compile or run it; the message says why. `--target interpreter` runs every kernel."
    Cancelled "E0511" "stopped"
        "The statement was stopped by Ctrl-C; the session is as it was before it."
    UnknownCommand "E0501" "unknown command"
        "A line that starts with a colon is a command, and there is none of that name. `:help` lists them all.\n\n```wrong\n:shwo tree A\n```\n\n```right\n:show tree A\n```"
    CommandArguments "E0502" "arguments that a command cannot take"
        "The command exists, but it needs other arguments; the message says which, and the help line shows the form.\n\n```wrong\n:show A\n```\n\n```right\n:show levels A\n```"
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
