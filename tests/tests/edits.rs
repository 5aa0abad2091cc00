//! The cache of a text never changes the diagnostics after an edit: documents are edited at random, word by word, and
//! after every edit the diagnostics are those of a fresh read.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{fs, path::Path};

use nnz_core::{
    diagnostic::Diagnostic,
    ids::FileId,
    languages::{Known, MLIR},
    source::Source,
};
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
fn edit(text: &str, others: &[&str], random: &mut ChaCha8Rng) -> String {
    let mut words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
    let at = random.random_range(0..words.len());
    let end = (at + random.random_range(0..3)).min(words.len());
    let put = match random.random_range(0..4) {
        0 => None,
        1 => words.choose(random).copied(),
        2 => WORDS.choose(random).copied(),
        _ => others.choose(random).copied(),
    };
    words.splice(at..end, put);
    words.concat()
}

fn found(text: &str, known: &mut Known) -> [Vec<Diagnostic>; 2] {
    let checked = MLIR.check_alone(&Source::new(FileId(0), "edited.mlir", text));
    [checked.diagnostics(&mut Known::default(), &|| false), checked.diagnostics(known, &|| false)]
}

/// Edits `original` a few times, now and then going back to it.
fn explore(original: &str, others: &[&str], seed: u64, rounds: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut known = Known::default();
    let mut text = original.to_string();
    for round in 0..rounds {
        let [fresh, after] = found(&text, &mut known);
        assert_eq!(after, fresh, "seed {seed}, round {round}:\n{text}");
        text = if random.random_ratio(1, 6) { original.to_string() } else { edit(&text, others, &mut random) };
    }
}

fn rounds() -> usize {
    std::env::var("NNZ_DRAWS").ok().and_then(|draws| draws.parse().ok()).unwrap_or(300)
}

#[test]
fn functions_that_call_each_other() {
    let others: Vec<&str> = CALLS.split_inclusive('\n').collect();
    for seed in 0..4 {
        explore(CALLS, &others, seed, rounds());
    }
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
        explore(&text, &others, seed as u64, rounds() / 4);
    }
}

#[test]
fn functions_in_other_places_and_sections() {
    let pieces: Vec<&str> = CALLS.split_inclusive("}\n").collect();
    let mut known = Known::default();
    for order in [[0, 1, 2, 3, 4], [1, 0, 3, 2, 4], [4, 3, 2, 1, 0], [0, 0, 1, 1, 2]] {
        let text: String = order.iter().map(|at| pieces.get(*at).copied().unwrap_or("// -----\n")).collect();
        let [fresh, after] = found(&text, &mut known);
        assert_eq!(after, fresh, "{text}");
    }
}
