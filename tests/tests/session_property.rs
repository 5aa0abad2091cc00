//! Any text can be parsed, checked and run as a session: nothing panics, the tree reprints its text, and
//! every diagnostic lies within it.

use std::sync::Arc;

use nnz_core::{
    check::{scope::Scope, session::check_session},
    ids::FileId,
    session::{Engine, Options, Session},
    source::Source,
    syntax,
};
use nnz_tests::hosts::Nowhere;
use proptest::prelude::*;

/// Pieces that sessions are made of, and some that they are not.
const PIECES: &[&str] = &[
    "A",
    "x",
    "y",
    "s",
    "i",
    "j",
    "k",
    "alpha",
    "f64",
    "i8",
    "f16",
    "CSR",
    "CSC",
    "COO",
    "BSR(2, 2)",
    "BSR(0)",
    "decompose(A, [BSR(2, 2), CSR])",
    "decompose(",
    "filled = 0.5",
    "tensor<2x2xf64, CSR>",
    "tensor<2xf64>",
    "tensor<?x2xi8, COO>",
    "tensor<2x2x2xf64, CSF>",
    "#CSR",
    "A(i, j)",
    "x(j)",
    "y(i)",
    "max(j, A(i, j))",
    "sum(",
    "=",
    " = ",
    ":",
    " : ",
    "+=",
    "+",
    "-",
    "*",
    "/",
    "<",
    "==",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ", ",
    ";",
    "\n",
    "\n",
    "\n",
    " ",
    "1",
    "2.5",
    "-1",
    "300",
    "1e999",
    "0x7FF0",
    "(1, 2)",
    "inf",
    "nan",
    "true",
    "[1, 2]",
    "[[1, 0], [0, 2]]",
    "[[1], [0, 2]]",
    "[]",
    "[[]]",
    "dense<",
    "dense<1>",
    "sparse<",
    "sparse<[[0, 1]], [1.5]>",
    "sparse<[0], 1>",
    "read \"f.mtx\"",
    "use \"f\"",
    "random(density = 0.5)",
    "poisson2d(n = 2)",
    "poisson2d(n = -1)",
    ":show levels A",
    ":show ",
    ":dump A",
    ":help",
    ":vars",
    ":explain E0323",
    ":time",
    ":type s",
    "@f(A)",
    "// c",
    "\"",
    "é",
    "\u{0}",
    "A : tensor<2x2xf64, CSR> = [[1, 0], [0, 2]]\n",
    "x : tensor<2xf64> = [1, 2]\n",
    "y(i) = A(i, j) * x(j)\n",
    "B : BSR(2, 2) = A\n",
    "C(i, j) : CSR = A(i, k) * A(k, j)\n",
    "alpha : f64 = 2\n",
    "s : f64 = A(i, j)\n",
    "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\n",
];

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

fn check_text(text: &str) {
    let tree = syntax::session::parse(text);
    assert_eq!(tree.tokens().map(|token| token.text()).collect::<String>(), text);
    let source = Source::new(FileId(0), "any.nnz", text);
    for found in check_session(&source, &Scope::default()).diagnostics {
        assert!(found.primary.span.end as usize <= text.len(), "{found:?}");
    }
    let mut session = Session::new(Arc::new(Nowhere), Options { engine: Engine::Interpreter, ..Options::default() });
    session.run(&source, true, &mut |outcome| assert!(outcome.span.end as usize <= text.len()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_row_of_pieces(text in text()) {
        check_text(&text);
    }

    #[test]
    fn any_characters(text in ".{0,60}") {
        check_text(&text);
    }
}
