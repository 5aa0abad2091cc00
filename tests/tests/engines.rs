//! Which code runs a kernel: the interpreter as long as that takes less than to make machine code, and the same answer
//! from both.

use std::sync::Arc;

use nnz_core::{
    backend::interp,
    ids::FileId,
    session::{Engine, Options, Session},
    source::Source,
};
use nnz_tests::hosts::Nowhere;

/// What a session of these statements shows last, and the steps that the interpreter takes for it.
fn shown(engine: Engine, text: &str) -> (String, u64) {
    let mut session = Session::new(Arc::new(Nowhere), Options { engine, threads: 1, ..Options::default() });
    let (mut last, before) = (String::new(), interp::steps());
    session.run(&Source::new(FileId(0), "session.nnz", text), false, &mut |outcome| {
        assert_eq!(outcome.diagnostics, [], "{text}");
        last = outcome.markup().map(|markup| markup.plain_text()).unwrap_or_default();
    });
    (last, interp::steps() - before)
}

const SMALL: &str = "A : tensor<2x3xf64, CSR> = [[1, 0, 2], [0, 3, 0]]
x : tensor<3xf64> = [1, 2, 3]
y(i) = A(i, j) * x(j)
y
";

/// All entries meet in one column and row, which the estimate of points does not know.
#[cfg(feature = "llvm")]
const LONGER_THAN_IT_LOOKS: &str = "one : tensor<400xf64> = dense<1>
e : tensor<400xf64, (d0) -> (d0 : compressed)> = random(density = 0.0025, seed = 1)
A(i, j) : CSR = one(i) * e(j)
B(i, j) : CSR = e(i) * one(j)
C(i, k) : CSR = A(i, j) * B(j, k)
stored : i64 = sum(i, j, select(C(i, j) > 0, 1, 0))
stored
";

#[test]
fn a_small_kernel_is_interpreted_unless_asked_otherwise() {
    let (right, steps) = shown(Engine::Interpreter, SMALL);
    assert!(steps > 0);
    let (answer, steps) = shown(Engine::Adaptive, SMALL);
    assert_eq!(answer, right);
    assert!(steps > 0);
}

#[cfg(feature = "llvm")]
#[test]
fn machine_code_takes_no_steps_of_the_interpreter() {
    let (right, _) = shown(Engine::Interpreter, SMALL);
    assert_eq!(shown(Engine::MachineCode, SMALL), (right, 0));
}

#[cfg(feature = "llvm")]
#[test]
fn a_kernel_that_takes_longer_than_it_looks_goes_on_as_machine_code() {
    let (right, all) = shown(Engine::Interpreter, LONGER_THAN_IT_LOOKS);
    assert_eq!(right, "stored: i64 = 160000\n");
    let (answer, steps) = shown(Engine::Adaptive, LONGER_THAN_IT_LOOKS);
    assert_eq!(answer, right);
    assert!(steps < all / 2, "{steps} of {all} steps in the interpreter");
}
