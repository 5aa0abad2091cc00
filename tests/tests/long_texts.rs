//! The cost of parsing is linear in the length of a text, measured in tokens looked at.

use nnz_core::{
    check::{scope::Scope, session::check_session},
    ids::FileId,
    source::Source,
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
