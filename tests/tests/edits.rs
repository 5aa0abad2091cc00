//! What is kept of a text never changes what is found after an edit: programs and sessions are edited at random, word by word,
//! and after every edit the diagnostics are those of a fresh read, and what is checked in part is as if all were checked.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{fs, path::Path, sync::Arc};

use nnz_core::{
    check::{Checked, mlir, scope::Scope, session},
    diagnostic::Diagnostic,
    ids::FileId,
    languages::{Answers, FrontEnd, Known, MLIR, NOTATION},
    source::Source,
};
use nnz_tests::parallel;
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// Words that make a function, an alias or a section out of others, or unmake one.
const WORDS: &[&str] = &[
    "\nfunc.func ",
    "func.func @added(%a: f64) -> f64 {\n  return %a : f64\n}\n",
    "\n#CSR = ",
    "#unknown",
    "\n// -----\n",
    "// a comment\n",
    "\n",
    " ",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "tensor<4x4xf64, #CSR>",
    "\"",
    "call @helper(%a) : (f64) -> f64",
    "@helper",
    "%a",
    ": f64",
    "f32",
    "module {",
];

/// Words that make a definition, a kernel or a wrong statement out of others.
const SESSION_WORDS: &[&str] = &[
    "\nA : tensor<4x4xf64, CSR> = random(density = 0.5)\n",
    "\ny(i) = A(i, j) * x(j)\n",
    "\nx = [1, 2, 3, 4]\n",
    "\nx : f64 = 3\n",
    "\n#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>\n",
    "\n:show loops y\n",
    "\nuse \"none.mlir\"\n",
    "  schedule reorder(j, i)\n",
    "// a comment\n",
    " // 2\n",
    "\n",
    "\n  ",
    ";",
    " ",
    "(",
    ")",
    "[",
    ", ",
    "=",
    " += ",
    " * ",
    "\"",
    "CSC",
    "#CSR",
    "A",
    "y",
    "unknown",
    "f32",
    "0",
    "end",
    "for i in 0:4",
];

/// Functions that ask for each other, below aliases that they share.
const CALLS: &str = "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!matrix = tensor<4x4xf64, #CSR>
func.func @helper(%a: f64) -> f64 {
  %b = arith.addf %a, %a : f64
  return %b : f64
}
#map = affine_map<(i) -> (i)>
func.func @first(%a: f64, %A: tensor<4x4xf64, #CSR>) -> f64 {
  %b = call @helper(%a) : (f64) -> f64
  %n = sparse_tensor.number_of_entries %A : tensor<4x4xf64, #CSR>
  return %b : f64
}
func.func @second(%A: !matrix) -> index {
  %n = sparse_tensor.number_of_entries %A : !matrix
  %m = \"func.call\"(%A) <{callee = @second}> : (!matrix) -> index
  return %m : index
}
func.func private @outside(%A: !matrix) -> f64
func.func @third(%A: !matrix) -> f64 {
  %b = call @outside(%A) : (!matrix) -> f64
  %c = unknown.operation %b : f64
  return %b : f64
}
";

/// An edit: `words` of the text from `at` on, `count` of them, are replaced.
fn edit(text: &str, others: &[&str], language: &Language, random: &mut ChaCha8Rng) -> String {
    let mut words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
    let at = random.random_range(0..words.len());
    let end = (at + random.random_range(0..3)).min(words.len());
    let put = match random.random_range(0..4) {
        0 => None,
        1 => words.choose(random).copied(),
        2 => language.words.choose(random).copied(),
        _ => others.choose(random).copied(),
    };
    words.splice(at..end, put);
    words.concat()
}

/// A language, and how its texts are checked.
struct Language {
    front_end: &'static FrontEnd,
    check: fn(&Source) -> Checked,
    check_edited: fn(Checked, &Source) -> Option<Checked>,
    words: &'static [&'static str],
}

const PROGRAMS: Language =
    Language { front_end: &MLIR, check: mlir::check_mlir, check_edited: mlir::check_edited, words: WORDS };

const SESSIONS: Language = Language {
    front_end: &NOTATION,
    check: |source| session::check_session(source, &Scope::default()),
    check_edited: |before, source| session::check_edited(before, source, None),
    words: SESSION_WORDS,
};

/// What is kept from one version of a text to the next.
#[derive(Default)]
struct Kept {
    known: Known,
    before: Option<Arc<dyn Answers>>,
}

/// What is found in a text afresh, and with what is kept of the version before.
fn found(language: &Language, text: &str, kept: &mut Kept) -> [Vec<Diagnostic>; 2] {
    let source = Source::new(FileId(0), "edited", text);
    let fresh = language.front_end.check_alone(&source).diagnostics(&mut Known::default(), &|| false);
    let checked = language.front_end.check_after(kept.before.take(), &source, None);
    let found = checked.diagnostics(&mut kept.known, &|| false);
    kept.before = Some(checked);
    [fresh, found]
}

/// All that a check has made of a text.
fn parts(checked: &Checked) -> [String; 5] {
    let tokens: Vec<_> = checked.tree.tokens().collect();
    let parents: Vec<_> = checked.tree.root().descendants().map(|node| node.parent().map(|node| node.id())).collect();
    let nodes = format!("{:?} {parents:?}", checked.tree.root());
    let kernels = format!("{:?} {:?}", checked.kernels, checked.contents);
    [format!("{tokens:?}"), nodes, format!("{:?}", checked.symbols), format!("{:?}", checked.diagnostics), kernels]
}

/// The check of `text`, and how much of it was taken over from the last one.
#[derive(Default)]
struct Checks {
    last: Option<Checked>,
    in_part: usize,
}

impl Checks {
    fn compare(&mut self, language: &Language, text: &str) {
        let source = Source::new(FileId(0), "edited", text);
        let fresh = (language.check)(&source);
        let edited = self.last.clone().and_then(|last| (language.check_edited)(last, &source));
        if let Some(edited) = &edited {
            let before = &self.last.as_ref().unwrap().source.text;
            for (part, fresh) in parts(edited).iter().zip(parts(&fresh)) {
                assert!(*part == fresh, "{before}\n-->\n{text}\n{part}\n{fresh}");
            }
            self.in_part += 1;
        }
        self.last = Some(edited.unwrap_or(fresh));
    }
}

/// Edits `original` a few times, now and then going back to it. How often a check was made of the one before.
fn explore(language: &Language, (original, others): (&str, &[&str]), seed: u64, rounds: usize) -> usize {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut kept, mut checks) = (Kept::default(), Checks::default());
    let mut text = original.to_string();
    for round in 0..rounds {
        let [fresh, after] = found(language, &text, &mut kept);
        assert_eq!(after, fresh, "seed {seed}, round {round}:\n{text}");
        checks.compare(language, &text);
        text =
            if random.random_ratio(1, 6) { original.to_string() } else { edit(&text, others, language, &mut random) };
    }
    checks.in_part
}

/// Edits `original` once, again and again: most of the time nothing is wrong with what is edited.
fn explore_once(language: &Language, (original, others): (&str, &[&str]), seed: u64, rounds: usize) -> usize {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut kept, mut checks) = (Kept::default(), Checks::default());
    for round in 0..rounds {
        for text in [original, &edit(original, others, language, &mut random)] {
            checks.compare(language, text);
            let [fresh, after] = found(language, text, &mut kept);
            assert_eq!(after, fresh, "seed {seed}, round {round}:\n{text}");
        }
    }
    checks.in_part
}

fn rounds() -> usize {
    std::env::var("NNZ_DRAWS").ok().and_then(|draws| draws.parse().ok()).unwrap_or(300)
}

#[test]
fn functions_that_call_each_other() {
    let others: Vec<&str> = CALLS.split_inclusive('\n').collect();
    parallel::each(0..4, |seed| {
        explore(&PROGRAMS, (CALLS, &others), seed, rounds());
        let in_part = explore_once(&PROGRAMS, (CALLS, &others), seed, rounds() / 3);
        assert!(in_part > rounds() / 15, "{in_part} checks in part");
    });
}

#[test]
fn programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    for (seed, name) in ["errors/blocks", "errors/sparse_operands", "generic_syntax", "blocks_and_structure", "casts"]
        .iter()
        .enumerate()
    {
        let text = fs::read_to_string(folder.join(name).with_extension("mlir")).unwrap();
        let others: Vec<&str> = text.split_inclusive('\n').collect();
        explore(&PROGRAMS, (&text, &others), seed as u64, rounds() / 4);
        explore_once(&PROGRAMS, (&text, &others), seed as u64, rounds() / 8);
    }
}

/// The tour, and the sessions of the suite in pieces.
fn sessions() -> Vec<String> {
    const LINES: usize = 60;
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = fs::read_dir(tests.join("suite/session")).unwrap().map(|entry| entry.unwrap().path());
    let tour = tests.join("../examples/tour.nnz");
    let mut paths: Vec<_> = suite.filter(|path| path.extension().is_some_and(|ending| ending == "nnz")).collect();
    paths.sort();
    let texts = std::iter::once(tour).chain(paths).map(|path| fs::read_to_string(path).unwrap());
    texts
        .flat_map(|text| {
            text.lines().collect::<Vec<_>>().chunks(LINES).map(|lines| lines.join("\n")).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn sessions_of_the_suite() {
    let (mut in_part, mut rounds_of_all) = (0, 0);
    let per_text = (rounds() / 150).max(2);
    for (seed, text) in sessions().iter().enumerate() {
        let others: Vec<&str> = text.split_inclusive('\n').collect();
        in_part += explore(&SESSIONS, (text, &others), seed as u64, per_text);
        in_part += explore_once(&SESSIONS, (text, &others), seed as u64, per_text);
        rounds_of_all += 3 * per_text;
    }
    assert!(in_part > rounds_of_all / 2, "{in_part} of {rounds_of_all} checks in part");
}

#[test]
fn functions_in_other_places_and_sections() {
    let pieces: Vec<&str> = CALLS.split_inclusive("}\n").collect();
    let mut kept = Kept::default();
    for order in [[0, 1, 2, 3, 4], [1, 0, 3, 2, 4], [4, 3, 2, 1, 0], [0, 0, 1, 1, 2]] {
        let text: String = order.iter().map(|at| pieces.get(*at).copied().unwrap_or("// -----\n")).collect();
        let [fresh, after] = found(&PROGRAMS, &text, &mut kept);
        assert_eq!(after, fresh, "{text}");
    }
}
