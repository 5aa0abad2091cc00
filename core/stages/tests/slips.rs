//! Texts with slips of the hand: they are read, checked, lowered and run without a panic, and where a function is whole
//! its stages still agree.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

mod data;

use std::{fs, path::Path};

use data::{Draws, bindings::bound, programs::program};
use nnz_base::{ids::FileId, source::Source};
use nnz_stages::{
    Arrays, Limits,
    encoding::encodings,
    lower::{to_stage_three, to_stage_two},
    run,
};
use nnz_tir::{
    model::{Function, Stage},
    print::{Spelling, print},
    script,
};

/// The words and signs of a text, so that together they are the text.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = match is_word(first) {
            true => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        parts.push(&rest[..end]);
        rest = &rest[end..];
    }
    parts
}

/// One part is left out, doubled, or replaced by another of the text.
fn slipped(text: &str, draws: &mut Draws) -> String {
    let mut all = parts(text);
    for _ in 0..1 + draws.below(3) {
        let (at, other) = (draws.below(all.len() as u64) as usize, draws.below(all.len() as u64) as usize);
        match draws.below(4) {
            0 => drop(all.remove(at)),
            1 => all.insert(at, all[other]),
            _ => all[at] = all[other],
        }
    }
    all.concat()
}

fn ran(function: &Function, arrays: &Arrays, steps: u64) -> Option<String> {
    run(function, arrays, Limits { steps }).ok().map(|found| format!("{found:?}"))
}

/// Whether a function ran.
fn tried(function: &Function, text: &str, seed: u64) -> bool {
    let printed = print([function], Spelling::Rfc);
    let again = script(&Source::new(FileId(0), "printed.py", printed.as_str()));
    assert_eq!(again.function(&function.name), Some(function), "{text}\n{printed}");
    drop(encodings(function));
    let Some(arrays) = bound(function, &mut Draws(seed)) else { return false };
    let Some(wanted) = ran(function, &arrays, 2000) else { return false };
    if function.stage() == Some(Stage::I)
        && let Ok(second) = to_stage_two(function)
    {
        let text = print([&second], Spelling::Rfc);
        assert_eq!(ran(&second, &arrays, 2_000_000).as_ref(), Some(&wanted), "{arrays:?}\n{printed}\n{text}");
        if let Ok(third) = to_stage_three(&second) {
            let text = print([&third], Spelling::Rfc);
            assert_eq!(ran(&third, &arrays, 2_000_000).as_ref(), Some(&wanted), "{arrays:?}\n{printed}\n{text}");
        }
    }
    true
}

fn texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/tir/scripts");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn slips_panic_nowhere_and_stages_agree() {
    let count = std::env::var("NNZ_DRAWS").ok().and_then(|count| count.parse().ok()).unwrap_or(600);
    let texts = texts();
    let mut whole = 0;
    for seed in 0..count {
        let mut draws = Draws(seed * 31 + 7);
        let text = match draws.below(2) {
            0 => texts[draws.below(texts.len() as u64) as usize].clone(),
            _ => program(&mut draws),
        };
        let text = slipped(&text, &mut draws);
        let read = script(&Source::new(FileId(0), "case.py", text.as_str()));
        for found in &read.diagnostics {
            let edits = found.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.span));
            assert!(edits.chain([found.primary.span]).all(|span| text.get(span.range()).is_some()), "{text}");
        }
        let names = read.functions.iter().map(|one| one.function.name.clone());
        let functions: Vec<Function> = names.filter_map(|name| read.function(&name).cloned()).collect();
        whole += functions.iter().filter(|function| tried(function, &text, seed)).count() as u64;
    }
    assert!(whole * 5 > count, "only {whole} functions ran");
}
