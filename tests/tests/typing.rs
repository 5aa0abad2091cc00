//! A text is typed key by key above and below others, in an editor that closes brackets and in one that does not. Errors
//! are in the text being written, not on other lines.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use nnz_core::{
    diagnostic::Diagnostic,
    ids::FileId,
    languages::{FrontEnd, Known, MLIR, NOTATION},
    source::Source,
    syntax::session::parse,
};

/// What stands above and below the text that is typed, and is right by itself.
struct Surroundings {
    language: &'static FrontEnd,
    above: &'static str,
    below: &'static str,
}

const PROGRAM: &[Surroundings] = &[
    Surroundings { language: &MLIR, above: "", below: "func.func @f(%a: f64) -> f64 {\n  return %a : f64\n}\n" },
    Surroundings {
        language: &MLIR,
        above: "#A = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>\n\n",
        below: "\n#B = #sparse_tensor.encoding<{\n  map = (i, j) -> (i : dense, j : compressed),\n  posWidth = 32\n}>\nmodule {\n  \
            func.func @f(%a: tensor<8xf64, #A>, %b: tensor<8x8xf64, #B>) -> index {\n    \
            %n = sparse_tensor.number_of_entries %a : tensor<8xf64, #A>\n    return %n : index\n  }\n}\n",
    },
    Surroundings {
        language: &MLIR,
        above: "// The first of two types.\n",
        below: "!t = tensor<8xf64>\n\"any.op\"() : () -> !t\n",
    },
    Surroundings { language: &MLIR, above: "", below: "\n\n" },
];

const ENCODINGS: &[&str] = &[
    "#X = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>",
    "#X = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>",
    "#X = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed), posWidth = 32, crdWidth = 16 }>",
    "#X = #sparse_tensor.encoding<{\n  map = (i, j) -> (\n    i : compressed(nonunique),\n    j : singleton(soa)\n  ),\n  crdWidth = 32\n}>",
    "#X = #sparse_tensor.encoding<{\n  map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed,\n    i mod 2 : dense, j mod 3 : dense)\n}>",
    "#X = #sparse_tensor.encoding<{ map = {l0, l1} (i = l0 * 4 + l1) -> (l0 = i floordiv 4 : dense, l1 = i mod 4 : structured[2, 4]) }>",
    "#X = #sparse_tensor.encoding<{ map = (i : #sparse_tensor<slice(1, 4, 2)>, j) -> (i : dense, j : loose_compressed(nonordered)) }>",
    "#X = #sparse_tensor.encoding<{ map = (i, j) -> (i + j : dense, -(i) : compressed), explicitVal = 1.0 : f64, implicitVal = 0.0 : f64 }>",
    "#X = #sparse_tensor.encoding<{ dimLevelType = [\"dense\", \"compressed\"], pointerBitWidth = 32 }>",
    "!u = tensor<4x4xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : batch, j : compressed) }>>",
    "func.func private @g(tensor<8x8xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>, i32) -> f64",
    "func.func @g(%x: tensor<?x8xf64, #sparse_tensor.encoding<{\n    map = (i, j) -> (i : dense, j : compressed)\n  }>>) -> f64 {\n  \
        %y = arith.constant 1.0 : f64\n  %z = arith.addf %y, %y : f64\n  return %z : f64\n}",
    "#map = affine_map<(i, j)[s] -> (j + s, i)>",
    "#trait = {\n  indexing_maps = [affine_map<(i) -> (i)>],\n  iterator_types = [\"parallel\"]\n}",
];

const SESSION: &[Surroundings] = &[
    Surroundings { language: &NOTATION, above: START, below: "" },
    Surroundings { language: &NOTATION, above: START, below: "\n\n\n" },
    Surroundings { language: &NOTATION, above: START, below: "y(i) = A(i, j) * x(j)\n:show levels A\n" },
    Surroundings { language: &NOTATION, above: START, below: ":show levels A\nB : CSC = A\n" },
    Surroundings {
        language: &NOTATION,
        above: START,
        below: "#N = (i, j) -> (i : dense, j : compressed)\nB : #N = A\n",
    },
    Surroundings { language: &NOTATION, above: START, below: "\n// The same by columns.\nB : CSC = A\n\nx\n" },
];

const START: &str =
    "A : CSR = poisson2d(n = 3)\nx : tensor<9xf64> = random(density = 1.0)\nv : tensor<9xf64> = dense<0.0>\n";

const STATEMENTS: &[&str] = &[
    "s : f64 = 2.5",
    "C : CSR = poisson2d(n = 4)",
    "C : tensor<2x3xf64, CSR> = [[1, 0, 2],\n  [0, 3, 0]]",
    "C : tensor<2x2xf64, (i, j) -> (i : dense, j : compressed)> = sparse<[[0, 1], [1, 0]], [1.5, 2]>",
    "#X = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>",
    "#X = #sparse_tensor.encoding<{\n  map = (i, j) -> (j : dense,\n    i : compressed),\n  posWidth = 32\n}>",
    "#X = #sparse_tensor.encoding<{ map = (i, j) -> (\ni : dense,\nj : compressed)\n}>",
    "C : BSR(2, 2) = [[1, 2], [3, 4]]",
    "z(i) = A(i, j) * x(j) + 2 * x(i)",
    "z(i) = A(i, j) * x(j)\n  schedule split(i, i0, i1, 4), unroll(i1, 4)",
    "z(i) = sum(j, A(i, j) * x(j)) - max(j, A(i, j))",
    "z(i) = select(x(i) > 0.5 and not x(i) == 1, x(i), -(x(i) + 1) / 2)",
    "v(i) += A(i, j) * x(j)",
    "x",
    "C : CSC = A",
    ":show tree A",
    ":write v \"v.tns\"",
    "C : CSR = read \"matrix.mtx\"",
    "c = [1, 2, 3]",
];

/// What the editor adds to what is typed.
#[derive(Clone, Copy)]
enum Closing {
    Nothing,
    /// A closing bracket or quote for each that is open, which typing it steps over.
    Brackets,
}

impl Closing {
    /// What stands behind the cursor when `typed` is in front of it. `<` is closed where it compares nothing.
    fn behind(self, typed: &str, language: &FrontEnd) -> String {
        match self {
            Closing::Nothing => String::new(),
            Closing::Brackets => open_brackets(typed, std::ptr::eq(language, &MLIR)).into_iter().rev().collect(),
        }
    }
}

/// The closing sign of each bracket and quote that is open at the end of `typed`, the outermost first.
fn open_brackets(typed: &str, angles: bool) -> Vec<char> {
    let mut open: Vec<char> = Vec::new();
    let mut before = ' ';
    for sign in typed.chars() {
        let quoted = open.last() == Some(&'"');
        match sign {
            '"' if quoted => drop(open.pop()),
            _ if quoted => (),
            '"' => open.push('"'),
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            '<' if angles => open.push('>'),
            _ if open.last() == Some(&sign) && !(sign == '>' && before == '-') => drop(open.pop()),
            _ => (),
        }
        before = sign;
    }
    open
}

/// One state of the text while it is typed.
struct Step<'a> {
    above: &'a str,
    typed: &'a str,
    behind: String,
    below: &'a str,
    language: &'static FrontEnd,
}

impl Step<'_> {
    fn found(&self) -> (Source, Vec<Diagnostic>) {
        let source =
            Source::new(FileId(0), "typed", format!("{}{}{}\n{}", self.above, self.typed, self.behind, self.below));
        let found = self.language.check_alone(&source).diagnostics(&mut Known::default(), &|| false);
        (source, found)
    }

    fn errors(&self) -> Vec<String> {
        self.found().1.iter().filter(|d| d.is_error()).map(|d| d.message.clone()).collect()
    }

    /// The errors outside of what is being written.
    fn elsewhere(&self) -> Vec<String> {
        let (source, found) = self.found();
        let start = source.line_col(self.above.len()).line;
        let cursor = source.line_col(self.above.len() + self.typed.len()).line;
        let line = |diagnostic: &Diagnostic| source.line_col(diagnostic.primary.span.start as usize).line;
        let outside = |diagnostic: &&Diagnostic| diagnostic.is_error() && !(start..=cursor).contains(&line(diagnostic));
        found
            .iter()
            .filter(outside)
            .map(|d| format!("{:+}: {} {}", i64::from(line(d)) - i64::from(cursor), d.code.text(), d.message))
            .collect()
    }
}

/// How many steps there are, and those that put an error on a line that nobody edits.
fn typed(surroundings: &[Surroundings], texts: &[&str], closing: Closing) -> (usize, Vec<String>) {
    let (mut steps, mut wrong) = (0, Vec::new());
    for &Surroundings { language, above, below } in surroundings {
        for text in texts {
            for end in (1..=text.len()).filter(|&end| text.is_char_boundary(end)) {
                let typed = &text[..end];
                let step = Step { above, typed, behind: closing.behind(typed, language), below, language };
                steps += 1;
                let elsewhere = step.elsewhere();
                if end == text.len() {
                    assert_eq!(step.errors(), [""; 0], "{text}");
                }
                if !elsewhere.is_empty() {
                    wrong.push(format!(
                        "{:?} above {:?}: {}",
                        step.typed,
                        below.lines().next().unwrap_or_default(),
                        elsewhere.join("; ")
                    ));
                }
            }
        }
    }
    (steps, wrong)
}

fn nothing_elsewhere(surroundings: &[Surroundings], texts: &[&str], closing: Closing) {
    let (steps, wrong) = typed(surroundings, texts, closing);
    println!("{}", wrong.join("\n"));
    assert!(wrong.is_empty(), "{} of {steps}", wrong.len());
}

#[test]
fn encodings() {
    nothing_elsewhere(PROGRAM, ENCODINGS, Closing::Nothing);
}

#[test]
fn encodings_with_closed_brackets() {
    nothing_elsewhere(PROGRAM, ENCODINGS, Closing::Brackets);
}

#[test]
fn sessions() {
    nothing_elsewhere(SESSION, STATEMENTS, Closing::Nothing);
}

#[test]
fn sessions_with_closed_brackets() {
    nothing_elsewhere(SESSION, STATEMENTS, Closing::Brackets);
}

/// Definitions that stand below the statement of the tour that is typed.
const BELOW: &[&str] =
    &["", "zz = [1, 2]\n", "q : CSR = poisson2d(n = 3)\n", ":help\n", "#Q = (i) -> (i : compressed)\n"];

fn nothing_beside_the_tour(closing: Closing) {
    let tour = include_str!("../../examples/tour.nnz");
    for statement in parse(tour).root().children() {
        let (above, typed) = tour[..statement.span().end as usize].split_at(statement.span().start as usize);
        let around = |&below| Surroundings { language: &NOTATION, above, below };
        nothing_elsewhere(&BELOW.iter().map(around).collect::<Vec<_>>(), &[typed], closing);
    }
}

#[test]
fn the_tour() {
    nothing_beside_the_tour(Closing::Nothing);
}

#[test]
fn the_tour_with_closed_brackets() {
    nothing_beside_the_tour(Closing::Brackets);
}
