//! No stray token is ignored: one inserted into a text without errors, at any boundary, is reported. Every case of
//! the suites is tried, at boundaries drawn with a seed; `NNZ_DRAWS` is their number per text (default 12).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use nnz_core::{
    check::used::NoFiles,
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    languages::{FrontEnd, MLIR, NOTATION},
    session::{Engine, Options, Session, Verdict},
    source::Source,
    syntax::{self, NodeKind, TokenKind, Tree},
};
use nnz_tests::{hosts::Nowhere, parallel};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// What no text has outside of strings and comments, whatever stands around it.
const FOREIGN: &[&str] = &["$", "%", "~", "?", "!", "'", "\"", "\\", "&", ")", "é", "ß", "`", "^", "]", "}", "$ $"];
/// What is no statement, and goes on with none.
const FOREIGN_LINES: &[&str] =
    &["$$$", ")", "* x(j)", "= 3", "%x = arith.constant 1", "foo bar", "é", "}", "& y", ":nonsense", "?", "\"open"];
/// What MLIR has nowhere.
const FOREIGN_TO_MLIR: &[&str] = &["$", "~", "'", "\\", "`", "é", ";"];
/// What begins nothing between the functions of a program.
const FOREIGN_ITEMS: &[&str] = &["%x", "foo bar", ")", "(%x)", "{ foo }", "= 3", "1", "\"x\"", "@f", "^bb0:", "-> f64"];

fn session() -> Session {
    Session::new(Arc::new(Nowhere), Options { engine: Engine::Interpreter, ..Options::default() })
}

fn check(text: &str, language: &'static FrontEnd) -> Vec<Diagnostic> {
    session().check(language, &Source::new(FileId(0), "any", text), &NoFiles)
}

fn has_error(found: &[Diagnostic]) -> bool {
    found.iter().any(|diagnostic| diagnostic.is_error() && !diagnostic.message.is_empty())
}

fn files(folders: &[&str], extension: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        found.extend(entries.filter(|path| path.extension().is_some_and(|own| own == extension)));
    }
    found.sort();
    assert!(!found.is_empty());
    found
}

fn draws() -> usize {
    std::env::var("NNZ_DRAWS").ok().and_then(|draws| draws.parse().ok()).unwrap_or(12)
}

/// The statements of a session that have no errors.
fn clean(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("// >") && !line.starts_with("// !")).collect();
    let mut text = lines.join("\n") + "\n";
    loop {
        let wrong = check(&text, &NOTATION).into_iter().find(Diagnostic::is_error);
        let Some(wrong) = wrong else { return text };
        let place = wrong.primary.span;
        let tree = syntax::session::parse(text.as_str());
        let spans: Vec<_> = syntax::session::statements(&tree).iter().map(|statement| statement.span).collect();
        let guilty = spans.iter().rev().find(|span| span.start <= place.start).copied().unwrap_or(spans[0]);
        text.replace_range(guilty.range(), "");
    }
}

/// The places between tokens that lie in no comment.
fn boundaries(tree: &Tree) -> Vec<usize> {
    let tokens = tree.tokens().filter(|token| !token.kind().is_trivia());
    tokens.flat_map(|token| [token.span().start as usize, token.span().end as usize]).collect()
}

fn with(text: &str, at: usize, inserted: &str) -> String {
    format!("{} {inserted} {}", &text[..at], &text[at..])
}

#[test]
fn what_is_put_into_a_session_is_told() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let texts = parallel::each(files(&["suite/session", "suite/encoding", "../examples"], "nnz"), |file| {
        let text = clean(&fs::read_to_string(&file).unwrap());
        (file, text)
    });
    let (mut drawn, mut tokens) = (Vec::new(), 0);
    for (file, text) in texts {
        let tree = syntax::session::parse(text.as_str());
        let places = boundaries(&tree);
        tokens += places.len();
        for _ in 0..draws() {
            let (Some(at), Some(inserted)) = (places.choose(&mut rng), FOREIGN.choose(&mut rng)) else { continue };
            let changed = with(&text, *at, inserted);
            drawn.push((format!("{}: `{inserted}` in {:?}", file.display(), around(&changed, *at)), changed));
            let line = FOREIGN_LINES.choose(&mut rng).unwrap();
            let starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
            let at = starts[rng.random_range(0..starts.len())];
            let changed = format!("{}{line}\n{}", &text[..at], &text[at..]);
            drawn.push((format!("{}: line `{line}` in {:?}", file.display(), around(&changed, at)), changed));
        }
    }
    let silent = silent(&drawn, &NOTATION);
    assert!(tokens > 10_000, "only {tokens} boundaries are left of the suites");
    assert!(silent.is_empty(), "{} silent:\n{}", silent.len(), silent.join("\n"));
}

/// Which of the changed texts have no error.
fn silent<'d>(drawn: &'d [(String, String)], language: &'static FrontEnd) -> Vec<&'d str> {
    let told = parallel::each(drawn, |(_, changed)| has_error(&check(changed, language)));
    drawn.iter().zip(told).filter(|(_, told)| !told).map(|((place, _), _)| place.as_str()).collect()
}

fn around(text: &str, at: usize) -> String {
    let near = text.char_indices().filter(|(place, _)| place.abs_diff(at) < 50);
    near.map(|(_, c)| c).collect()
}

/// Every token is in a statement or ends one, or there is an error.
fn is_owned(tree: &Tree) -> bool {
    let nodes: Vec<_> =
        tree.root().children().filter(|node| !matches!(node.kind(), NodeKind::Error | NodeKind::Stray)).collect();
    let owned = |offset: u32| nodes.iter().any(|node| node.span().start <= offset && offset < node.span().end);
    let mut tokens = tree.tokens().filter(|token| !token.kind().is_trivia() && token.kind() != TokenKind::Semicolon);
    !tree.errors().is_empty() || tokens.all(|token| owned(token.span().start))
}

#[test]
fn a_session_that_is_cut_off_is_whole_or_told() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let files = files(&["suite/session"], "nnz");
    let texts = parallel::each(&files, |file| clean(&fs::read_to_string(file).unwrap()));
    for (file, text) in files.iter().zip(texts) {
        let places = boundaries(&syntax::session::parse(text.as_str()));
        for _ in 0..draws() {
            let at = *places.choose(&mut rng).unwrap();
            let tree = syntax::session::parse(&text[..at]);
            assert!(is_owned(&tree), "{}: {:?}", file.display(), around(&text, at));
            let has_syntax_errors = !tree.errors().is_empty();
            assert!(!has_syntax_errors || has_error(&check(&text[..at], &NOTATION)));
        }
    }
}

/// A failure has a message, an error is a failure, and nothing is refused without a reason.
#[test]
fn a_run_fails_with_a_message_and_only_so() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let text = "A : tensor<2x2xf64, CSR> = [[1, 0], [0, 2]]\nx : tensor<2xf64> = [1, 2]\ny(i) = A(i, j) * x(j)\ny\n\
        #R = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\nB : #R = A\ns : f64 = max(i, x(i))\n\
        :show levels B\n:type s\ny(i) += x(i)\nC(i, j) : CSR = A(i, k) * B(k, j)\n";
    let mut tree_boundaries = boundaries(&syntax::session::parse(text));
    tree_boundaries.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let pieces =
        [FOREIGN, FOREIGN_LINES, &["#A = foo", "#A = [1]", "#A = \"x\"", "\n#A =", "A : CSC\n", "x, y", "=", ";"]]
            .concat();
    for _ in 0..20 * draws() {
        let (at, piece) = (*tree_boundaries.choose(&mut rng).unwrap(), *pieces.choose(&mut rng).unwrap());
        let changed = if rng.random_bool(0.2) { text[..at].to_string() } else { with(text, at, piece) };
        let source = Source::new(FileId(0), "any.nnz", changed.as_str());
        let mut found = Vec::new();
        let verdict = session().run(&source, true, &mut |outcome| found.extend(outcome.diagnostics));
        assert_eq!(verdict == Verdict::Failed, has_error(&found), "{changed}\n{found:?}");
        assert!(found.iter().all(|found| found.code != Code::CompilerBug), "{changed}\n{found:?}");
    }
}

#[test]
fn what_is_put_into_a_program_is_told() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let mut drawn = Vec::new();
    let texts = parallel::each(files(&["programs"], "mlir"), |file| {
        let text = fs::read_to_string(&file).unwrap();
        (!has_error(&check(&text, &MLIR))).then_some((file, text))
    });
    for (file, text) in texts.into_iter().flatten() {
        let tree = syntax::mlir::parse_mlir(text.as_str());
        for _ in 0..draws().div_ceil(6) {
            let at = *boundaries(&tree).choose(&mut rng).unwrap();
            let inserted = FOREIGN_TO_MLIR.choose(&mut rng).unwrap();
            let place = format!("{}: `{inserted}` in {:?}", file.display(), around(&text, at));
            drawn.push((place, with(&text, at, inserted)));
            let items: Vec<usize> =
                text.match_indices("\nfunc.func").map(|(at, _)| at + 1).chain([0, text.len()]).collect();
            let (at, item) = (*items.choose(&mut rng).unwrap(), FOREIGN_ITEMS.choose(&mut rng).unwrap());
            let changed = format!("{}{item}\n{}", &text[..at], &text[at..]);
            drawn.push((format!("{}: item `{item}` in {:?}", file.display(), around(&changed, at)), changed));
        }
    }
    let silent = silent(&drawn, &MLIR);
    assert!(silent.is_empty(), "{} silent:\n{}", silent.len(), silent.join("\n"));
}
