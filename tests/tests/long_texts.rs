//! The cost of parsing is linear in the length of a text, measured in tokens looked at.

use std::collections::BTreeSet;

use nnz_core::{
    check::{scope::Scope, session::check_session},
    ids::FileId,
    languages::{Known, MLIR, NOTATION},
    source::Source,
    syntax::mlir::parse_mlir,
};

fn source(text: &str) -> Source {
    Source::new(FileId(0), "long", text)
}

/// How many tokens are looked at ahead while a text is parsed, and what is found in it.
fn looks(text: String) -> (u64, usize) {
    let checked = check_session(&source(&text), &Scope::default());
    (checked.tree.looks(), checked.diagnostics.len())
}

/// Each name, and each open bracket, looked through all the rest; on one line each statement did.
#[test]
fn a_parser_looks_ahead_no_further_in_a_longer_text() {
    let lines = |line: &'static str| move |count: usize| line.repeat(count);
    let names = |count: usize| "x = [1]\n".to_string() + &"x\n".repeat(count);
    let texts: [(&dyn Fn(usize) -> String, usize); 4] =
        [(&names, 0), (&lines("q = [1\n"), 1), (&lines("x=[1];"), 0), (&lines("y(i) = x(i)\n"), 1)];
    for (text, found) in texts {
        let ((few, wrong), (many, _)) = (looks(text(1_000)), looks(text(8_000)));
        assert_eq!(wrong, found * 1_000, "{}", text(1));
        assert!(many < 10 * few, "{few} looks at 1,000 times {:?}, {many} at 8,000", text(1));
    }
}

/// From each function within another one its end was looked for, through all the rest.
#[test]
fn functions_without_an_end_are_passed_over() {
    let looks = |count: usize| {
        let inner = "  func.func @g() {\n".repeat(count);
        parse_mlir(format!("func.func @f() {{\n{inner}")).looks()
    };
    let (few, many) = (looks(1_000), looks(8_000));
    assert!(many < 10 * few, "{few} looks at 1,000 functions, {many} at 8,000");
}

/// What is wrong with a text in nnz notation.
fn wrong(text: &str) -> Vec<String> {
    let checked = check_session(&source(text), &Scope::default());
    checked.diagnostics.into_iter().map(|found| found.message).collect()
}

/// Each was looked for among all before it, and the loops were verified after each step.
#[test]
fn reductions_and_schedules_end_somewhere() {
    let x = "x : tensor<10xf64> = dense<1.0>\n";
    let vars: Vec<String> = (0..100_000).map(|at| format!("i{at}")).collect();
    let sum = format!("{x}s : f64 = sum({}, x(i0))\n", vars.join(", "));
    assert_eq!(wrong(&sum), ["100000 index variables: a reduction is over at most 64"]);
    let steps: Vec<String> = (0..2_000).map(|at| format!("split(i{at}, i{}, j{at}, 2)", at + 1)).collect();
    let kernel = format!("{x}y(i0) = x(i0) schedule {}\n", steps.join(", "));
    assert_eq!(wrong(&kernel), ["2000 steps: a schedule has at most 100"]);
    let few = format!("{x}y(i0) = x(i0) schedule {}\n", steps[..100].join(", "));
    assert_eq!(wrong(&few), [""; 0]);
}

/// Each alias names the one before it twice, so that the last stands for 2^99 types.
#[test]
fn types_of_functions_end_somewhere() {
    let aliases = (1..100).map(|at| format!("!f{at} = (!f{0}, !f{0}) -> ()\n", at - 1));
    let text = format!("!f0 = () -> ()\n{}func.func private @f(!f99)\n", aliases.collect::<String>());
    let found = MLIR.check_alone(&source(&text)).diagnostics(&mut Known::default(), &|| false);
    // What names a broken alias counts from there.
    let found: BTreeSet<String> = found.into_iter().map(|found| found.message).collect();
    assert_eq!(found, BTreeSet::from(["a function type of 16382 types: nnz takes at most 10000".to_string()]));
}

/// The uses of each alias were looked for among those of all.
#[test]
fn many_names_of_one_encoding_are_each_told() {
    let first = "#A0 = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\n".to_string();
    let text = first + &(1..20_000).map(|at| format!("#A{at} = #A{}\n", at - 1)).collect::<String>();
    let found = NOTATION.check_alone(&source(&text)).diagnostics(&mut Known::default(), &|| false);
    assert_eq!(found.len(), 19_998);
}

/// Each index variable was looked for among all before it.
#[test]
fn a_kernel_of_many_index_variables_is_refused() {
    let names: Vec<String> = (0..20_000).map(|at| format!("i{at}")).collect();
    let names = names.join(", ");
    for (kernel, message) in [
        (format!("y(i0) = A({names})"), "`A` has 2 dimensions, but 20000 indices are given"),
        (format!("y({names}) = A({names})"), "20000 dimensions: a tensor has at most 64"),
    ] {
        let text = format!("A : tensor<4x4xf64> = dense<1.0>\n{kernel}\n");
        let checked = check_session(&source(&text), &Scope::default());
        let wrong: Vec<&str> = checked.diagnostics.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(wrong, [message]);
    }
}
