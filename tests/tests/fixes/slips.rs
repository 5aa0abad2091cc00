//! Slips of the hand in texts without errors: a token is dropped, doubled, or replaced by one that stands elsewhere in the
//! text. A fix that editors may apply without asking leaves fewer errors then, unless it only spells what is understood.
//! Drawn with a seed; `NNZ_DRAWS` is the number of slips per text.

use std::{fs, path::Path};

use nnz_core::{
    diagnostic::{Applicability, Code, Diagnostic, Fix},
    languages::{FrontEnd, MLIR, NOTATION},
    source::Span,
    syntax::{self, Tree},
};
use nnz_tests::parallel;
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use super::{apply, check, errors};

fn draws(usual: usize) -> usize {
    std::env::var("NNZ_DRAWS").ok().and_then(|draws| draws.parse().ok()).unwrap_or(usual)
}

/// What is typed for something else: neighbours on the keyboard, and marks of other languages.
const TYPED: &[&str] =
    &[",", ";", ":", "=", "==", "(", ")", "[", "]", "{", "}", "<", ">", "-", "*", ".", "x", "#", "%"];

fn files(folder: &str, extension: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|own| own == extension)).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// `text` with a slip at one token.
fn slip(rng: &mut ChaCha8Rng, text: &str, tree: &Tree) -> String {
    let tokens: Vec<_> = tree.tokens().filter(|token| !token.kind().is_trivia()).collect();
    let (token, other) = (tokens.choose(rng).unwrap(), tokens.choose(rng).unwrap());
    let own = token.text();
    let written = match rng.random_range(0..4) {
        0 => String::new(),
        1 => format!("{own}{own}"),
        2 => other.text().to_string(),
        _ => TYPED.choose(rng).unwrap().to_string(),
    };
    let span = token.span().range();
    format!("{}{written}{}", &text[..span.start], &text[span.end..])
}

fn is_sure(fix: &Fix) -> bool {
    fix.applicability == Applicability::MachineApplicable
}

/// The fixes that editors apply without asking, and that leave as many errors.
fn useless(text: &str, language: &'static FrontEnd) -> Vec<String> {
    let all = check(text, language);
    let mut wrong = Vec::new();
    for one in all.iter().filter(|one| one.is_error() && one.code != Code::OtherNotation) {
        for fix in one.fixes.iter().filter(|fix| is_sure(fix)) {
            let left = check(&apply(text, &fix.edits), language);
            if errors(&left) >= errors(&all) {
                wrong.push(told(text, one, fix, &left));
            }
        }
    }
    wrong
}

fn told(text: &str, one: &Diagnostic, fix: &Fix, left: &[Diagnostic]) -> String {
    let line = |text: &str, at: usize| {
        let start = text[..at.min(text.len())].rfind('\n').map_or(0, |end| end + 1);
        text[start..].lines().next().unwrap_or_default().to_string()
    };
    let at = one.primary.span.start as usize;
    let now = left.iter().filter(|one| one.is_error()).map(|one| one.message.as_str()).next().unwrap_or_default();
    format!("{:?}: {}: {}: then {now}", line(text, at), one.message, fix.title)
}

/// The statements of a session that have no errors, each with those before it.
fn clean(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().filter(|line| !nnz_tests::sessions::is_answer(line)).collect();
    let mut text = lines.join("\n") + "\n";
    loop {
        let wrong: Vec<u32> =
            check(&text, &NOTATION).iter().filter(|one| one.is_error()).map(|one| one.primary.span.start).collect();
        let tree = syntax::session::parse(text.as_str());
        let spans: Vec<_> = syntax::session::statements(&tree).iter().map(|cut| cut.span).collect();
        let guilty = |span: &&Span| wrong.iter().any(|at| span.start <= *at && *at <= span.end);
        if !spans.iter().any(|span| guilty(&span)) {
            let cut = |span: &Span| (text[..span.start as usize].to_string(), text[span.range()].to_string());
            return spans.iter().map(cut).collect();
        }
        spans.iter().rev().filter(guilty).for_each(|span| text.replace_range(span.range(), ""));
    }
}

#[test]
fn of_sessions() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut wrong, mut fixes) = (Vec::new(), 0);
    for statements in parallel::each(files("suite/session", "nnz"), |text| clean(&text)) {
        for _ in 0..draws(40) {
            let (before, statement) = statements.choose(&mut rng).unwrap();
            let slipped = slip(&mut rng, statement, &syntax::session::parse(statement.as_str()));
            // What is above matters where there is a fix alone.
            if check(&slipped, &NOTATION).iter().any(|one| one.fixes.iter().any(is_sure)) {
                fixes += 1;
                wrong.extend(useless(&format!("{before}{slipped}"), &NOTATION));
            }
        }
    }
    assert!(fixes > 5, "{fixes}");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn of_programs() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut wrong = Vec::new();
    for text in files("programs", "mlir").into_iter().filter(|text| errors(&check(text, &MLIR)) == 0) {
        let tree = syntax::mlir::parse_mlir(text.as_str());
        (0..draws(4)).for_each(|_| wrong.extend(useless(&slip(&mut rng, &text, &tree), &MLIR)));
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
