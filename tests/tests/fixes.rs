//! Every fix, and every help that quotes a whole statement, is applied and checked again. There must be fewer errors
//! then, or as many if the fix uncovers another one. This covers the errors of sessions and of programs;
//! `tests/suite.rs` does the same for encodings.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

#[path = "fixes/slips.rs"]
mod slips;

use std::{fs, path::Path, sync::Arc};

use nnz_core::{
    diagnostic::{Applicability, Diagnostic, Edit, Fix},
    ids::FileId,
    languages::{FrontEnd, MLIR, NOTATION},
    session::{Options, Session},
    source::{Source, Span},
    syntax,
};
use nnz_tests::{
    parallel,
    sessions::{Files, cases, is_answer},
};

fn check(text: &str, language: &'static FrontEnd) -> Vec<Diagnostic> {
    let session = Session::new(Arc::new(Files), Options::default());
    session.check(language, &Source::new(FileId(0), "any", text), &Files)
}

fn errors(found: &[Diagnostic]) -> usize {
    found.iter().filter(|found| found.is_error()).map(with_more).sum()
}

/// How many errors a diagnostic stands for: the last one of a literal says how many more there are.
fn with_more(found: &Diagnostic) -> usize {
    let more = found
        .notes
        .iter()
        .filter_map(|note| note.strip_prefix("this literal has ")?.split(' ').next()?.parse::<usize>().ok());
    1 + more.sum::<usize>()
}

/// The text with the edits, the last one first.
fn apply(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    edits.iter().fold(text.to_string(), |text, edit| {
        format!("{}{}{}", &text[..edit.span.start as usize], edit.replacement, &text[edit.span.end as usize..])
    })
}

/// Whether an error stands on a line that was written.
fn is_wrong_there(text: &str, found: &[Diagnostic], edits: &[Edit]) -> bool {
    let line = |offset: u32| text[..(offset as usize).min(text.len())].matches('\n').count();
    let written: Vec<usize> = edits.iter().map(|edit| line(edit.span.start)).collect();
    found.iter().any(|error| error.is_error() && written.contains(&line(error.primary.span.start)))
}

/// What of this diagnostic does not mend it.
fn unmended(text: &str, language: &'static FrontEnd, (all, one): (&[Diagnostic], &Diagnostic)) -> Vec<String> {
    let mends = |fix: &Fix| {
        let fixed = apply(text, &fix.edits);
        let found = check(&fixed, language);
        let same =
            |all: &[Diagnostic]| all.iter().filter(|other| other.message == one.message).map(with_more).sum::<usize>();
        let hidden = fix.applicability == Applicability::MaybeIncorrect || is_wrong_there(&fixed, &found, &fix.edits);
        let most = errors(all) - usize::from(one.is_error() && !(hidden && is_wrong_there(&fixed, &found, &fix.edits)));
        same(&found) < same(all) && errors(&found) <= most
    };
    let quoted = one.helps.iter().filter_map(|help| statement(text, one, help));
    let all_fixes: Vec<Fix> = one.fixes.iter().cloned().chain(quoted).collect();
    let wrong = all_fixes.iter().filter(|fix| !mends(fix));
    let told = |fix: &Fix| {
        let fixed = apply(text, &fix.edits);
        let at = fix.edits.first().map_or(0, |edit| edit.span.start as usize).min(fixed.len());
        let line = fixed[fixed[..at].rfind('\n').map_or(0, |end| end + 1)..].lines().next().unwrap_or_default();
        let now: Vec<String> =
            check(&fixed, language).iter().filter(|d| d.is_error()).map(|d| d.message.clone()).collect();
        format!("{}: {} gives {line:?}: {now:?}", one.message, fix.title)
    };
    let ends = one.fixes.iter().filter_map(|fix| match end_of_fixes(text, language, fix) {
        None => Some(format!("{}: {}: the fixes go round", one.message, fix.title)),
        Some(left) if !left.iter().all(|left| is_another_mistake(left)) && errors(all) == 1 => {
            Some(format!("{}: {}: in the end {left:?}", one.message, fix.title))
        }
        Some(_) => None,
    });
    wrong.map(told).chain(ends).collect()
}

/// `x(i) = ...` in a help, in the place of the whole statement that begins with the same name.
fn statement(text: &str, one: &Diagnostic, help: &str) -> Option<Fix> {
    let at = one.primary.span.start as usize;
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next()?;
    let word =
        |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_string();
    let quoted = help.split('`').skip(1).step_by(2);
    let whole =
        quoted.into_iter().find(|part| part.contains(" = ") && !part.contains("...") && word(part) == word(line))?;
    let span = Span::new(start, start + line.len());
    let edits = vec![Edit { file: FileId(0), span, replacement: whole.to_string() }];
    Some(Fix { title: help.to_string(), edits, applicability: Applicability::MaybeIncorrect })
}

/// Where one fix after the other, the first that each error offers, leads: to no error on its line, or to one that offers none.
/// `None` where it comes back to a text that was there before, and would go round for ever.
fn end_of_fixes(text: &str, language: &'static FrontEnd, first: &Fix) -> Option<Vec<String>> {
    let mut seen = vec![text.to_string()];
    let mut fix = first.clone();
    loop {
        let fixed = apply(&seen[seen.len() - 1], &fix.edits);
        let found = check(&fixed, language);
        let left: Vec<&Diagnostic> = found
            .iter()
            .filter(|one| one.is_error() && is_wrong_there(&fixed, &[(*one).clone()], &fix.edits))
            .collect();
        if seen.contains(&fixed) {
            return None;
        }
        let Some(next) = left.iter().find_map(|one| one.fixes.first()) else {
            return Some(left.iter().map(|one| one.message.clone()).collect());
        };
        fix = next.clone();
        seen.push(fixed);
    }
}

/// What is wrong with some statements of the suite besides: it comes to light where the first mistake is mended.
fn is_another_mistake(message: &str) -> bool {
    const OTHERS: &[&str] = &[
        "cannot read `",
        "the name of `abc` does not tell what is in it",
        "nothing on the right tells what `i` runs over",
        "the reduction over `i` is inside another use of `i`",
        "`C` needs a type or indices",
        "`@spmv` takes 2 values, not 1",
        "a window needs a variable",
        "`min` needs the index variable to reduce over",
    ];
    OTHERS.iter().any(|other| message.starts_with(other))
}

/// Every statement with errors behind those without.
fn of_session(text: &str) -> Vec<String> {
    let tree = syntax::session::parse(text);
    let (mut fine, mut wrong) = (String::new(), Vec::new());
    for cut in syntax::session::statements(&tree) {
        let whole = format!("{fine}{}\n", &text[cut.span.range()]);
        let all = check(&whole, &NOTATION);
        if errors(&all) == 0 {
            fine = whole;
            continue;
        }
        wrong.extend(all.iter().flat_map(|one| unmended(&whole, &NOTATION, (&all, one))));
    }
    wrong
}

#[test]
fn of_sessions() {
    let wrong = parallel::each(cases(), |case| {
        let text = fs::read_to_string(&case).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !is_answer(line)).collect();
        of_session(&lines.join("\n"))
    })
    .concat();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn of_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/errors");
    let (mut wrong, mut fixes) = (Vec::new(), 0);
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let text = fs::read_to_string(&path).unwrap();
        let all = check(&text, &MLIR);
        fixes += all.iter().map(|one| one.fixes.len()).sum::<usize>();
        let found = all.iter().flat_map(|one| unmended(&text, &MLIR, (&all, one)));
        wrong.extend(found.map(|found| format!("{}: {found}", path.display())));
    }
    assert!(fixes > 10, "{fixes}");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Wrong lines behind these definitions, and what their fix makes of them.
const GIVEN: &str =
    "A : CSR = [[1, 0], [0, 2]]\nB : CSR = [[1, 0], [0, 2]]\nx = [1, 2]\nn : tensor<3xi64> = [1, 2, -3]\n";
const FIXED: &[(&str, &str)] = &[
    ("y(i) = n(i) & 1", "y(i) = bitand(n(i), 1)"),
    ("y(i) = n(i) | 1", "y(i) = bitor(n(i), 1)"),
    ("y(i) = ~n(i)", "y(i) = bitnot(n(i))"),
    ("C = A @ B @ x", "C(i) = A(i, k) * B(k, j) * x(j)"),
    ("s = einsum('ij,ij->', A, B)", "s : f64 = A(i, j) * B(i, j)"),
    ("C = np.einsum(\"ij->ji\", A)", "C(j, i) = A(i, j)"),
    ("v = einsum('ij->j', A)", "v(j) = A(i, j)"),
    ("t = einsum('ii', A)", "t : f64 = A(i, i)"),
    ("y = A * x", "y(i) = A(i, j) * x(j)"),
    ("y = x / sum(x)", "y(i) = x(i) / sum(j, x(j))"),
    ("s = sum(A)", "s : f64 = sum(i, j, A(i, j))"),
    ("z : tensor<4xf64> = 0", "z : tensor<4xf64> = dense<0>"),
    ("x += 1", "x(i) += 1"),
    ("C = A.T", "C(i, j) : CSR = A(j, i)"),
    ("C = A'", "C(i, j) = A(j, i)"),
    ("C = A .* B", "C(i, j) = A(i, j) * B(i, j)"),
    ("c = A[:, 1]", "c(i) = A(i, 1)"),
    ("v(i) = x(1:end)", "v(i) = x(i = 0:2)"),
    ("x(i) **= 2", "x(i) = pow(x(i), 2)"),
    ("v = A * x + x", "v(i) = sum(j, A(i, j) * x(j)) + x(i)"),
    ("v = A * B * x", "v(i) = A(i, k) * B(k, j) * x(j)"),
    ("v(i) = static_cast<float>(x(i))", "v(i) = f32(x(i))"),
    ("v(i) = sin^2(x(i))", "v(i) = pow(sin(x(i)), 2)"),
    ("v(i) = sum(A(i, j), over = j)", "v(i) = sum(j, A(i, j))"),
    ("v(i) = x(i = 0..1)", "v(i) = x(i = 0:1)"),
    ("v(i) = x(i) max 1", "v(i) = max(x(i), 1)"),
    ("y(i) = A(i, j), x(j)", "y(i) = A(i, j) * x(j)"),
    ("z : tensor<4xf64> = dense 0", "z : tensor<4xf64> = dense<0>"),
    ("r = A[0, :]", "r(i) = A(0, i)"),
    ("C = A[:, :]", "C(i, j) = A(i, j)"),
    ("y[i] = A[i, j] * x[j]", "y(i) = A(i, j) * x(j)"),
    ("q(i) = sqrt x(i)", "q(i) = sqrt(x(i))"),
    ("I = eye(3)", "I(i, j) : tensor<3x3xf64, CSR> = select(i == j, 1.0)"),
    ("t = trace(A)", "t : f64 = sum(i, A(i, i))"),
    ("m = mean(x)", "m : f64 = sum(i, x(i)) / 2"),
    ("d = np.diag(A)", "d(i) = A(i, i)"),
    ("R = rand(3, 4)", "R : tensor<3x4xf64> = random(density = 1.0)"),
    ("S = random(3, 4)", "S : tensor<3x4xf64> = random(density = 1.0)"),
    ("S = scipy.sparse.random(3, 4, 0.5)", "S : tensor<3x4xf64, CSR> = random(density = 0.5)"),
    ("D : tensor<2x2xf64 CSR> = A", "D : tensor<2x2xf64, CSR> = A"),
    ("print(A)", "A"),
    ("size(A)", ":type A"),
    ("A.shape", ":type A"),
    ("exit()", ":quit"),
    ("n() *= 2", "n(i) *= 2"),
    ("CSR C = [[1, 2], [3, 4]]", "C : CSR = [[1, 2], [3, 4]]"),
    ("csr C(i, j) = A(i, j)", "C(i, j) : CSR = A(i, j)"),
    ("print(x(0))", "y : f64 = x(0); y"),
    ("println(x(i))", "y(i) = x(i); y"),
    ("plot(A(i, j))", ":spy A"),
    ("x.sum()", "y : f64 = sum(i, x(i))"),
    ("y = 2 * A @ x", "y(i) = 2 * A(i, j) * x(j)"),
    ("y(i) = sum_j(A(i, j))", "y(i) = sum(j, A(i, j))"),
    ("y(i) = A(i, j) and x(j)", "y(i) = any(j, A(i, j) != 0 and x(j) != 0)"),
    ("S : tensor<2x2xf64> = sparse<[(0, 0), (1, 1)], 1>", "S : tensor<2x2xf64> = sparse<[[0, 0], [1, 1]], 1>"),
    ("T : tensor[2, 2] = [[1, 2], [3, 4]]", "T : tensor<2x2xf64> = [[1, 2], [3, 4]]"),
    ("y(i) = A(i, j) * x(j)   % product", "y(i) = A(i, j) * x(j)   // product"),
    ("y(i) = x(i) % the rest of it", "y(i) = x(i) // the rest of it"),
    ("C(i, j : CSR = A(i, k) * B(k, j)", "C(i, j) : CSR = A(i, k) * B(k, j)"),
    ("y(i) = binary(x(i), x(i), overlap = 2.0), left = 1.0)", "y(i) = binary(x(i), x(i), overlap = 2.0, left = 1.0)"),
    ("y(i) = A(i, j) * x(j)\nparallelize(i)", "y(i) = A(i, j) * x(j)\nschedule parallelize(i)"),
    ("y(i) = A(i, j) * x(j); parallelize(i)", "y(i) = A(i, j) * x(j) schedule parallelize(i)"),
    (":set precision: 4", ":set precision 4"),
];

/// Wrong lines that no fix is offered for: each reading is as likely.
const TOLD: &[&str] = &[
    "y(i) = x(i // 2)",
    "y(i) = reduce(j, A(i, j), combine = left right, identity = 0)",
    "assert A == B",
    "foo(x(i))",
];

#[test]
fn what_fixes_compute() {
    for (wrong, right) in FIXED {
        let text = format!("{GIVEN}{wrong}\n");
        let found = check(&text, &NOTATION);
        let fixes: Vec<&Fix> = found.iter().flat_map(|one| &one.fixes).collect();
        assert_eq!((errors(&found), fixes.len()), (1, 1), "{wrong}: {found:?}");
        let fixed = apply(&text, &fixes[0].edits);
        assert_eq!(fixed, format!("{GIVEN}{right}\n"));
        assert_eq!(errors(&check(&fixed, &NOTATION)), 0, "{right}");
    }
}

#[test]
fn what_no_fix_is_sure_of() {
    for wrong in TOLD {
        let found = check(&format!("{GIVEN}{wrong}\n"), &NOTATION);
        let fixes: usize = found.iter().map(|one| one.fixes.len()).sum();
        assert_eq!((errors(&found), fixes), (1, 0), "{wrong}: {found:?}");
    }
}
