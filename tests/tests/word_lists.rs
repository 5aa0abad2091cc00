//! Hand-written lists of the notation's words are complete: the page of the notation, and the grammar for VS
//! Code.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{fs, path::Path};

use nnz_core::{
    check::kernel::{functions, semiring},
    kernel::schedule::STEPS,
};

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

#[test]
fn the_page_of_the_notation_names_every_word() {
    let page = text("docs/notation.md");
    for info in functions::FUNCTIONS.iter() {
        let row = format!("| `{}({})` | {} |", info.name, info.arguments, info.summary);
        assert!(page.contains(&row), "no row {row}");
    }
    let reductions = functions::REDUCTIONS.iter().map(|(name, ..)| *name);
    let constants = functions::CONSTANTS.iter().map(|(name, _)| *name);
    let additions = semiring::ADDITIONS.iter().map(|(name, _)| *name);
    for name in reductions.chain(constants).chain(additions).chain(semiring::multiplication_names()) {
        assert!(page.contains(&format!("`{name}`")), "`{name}` is missing");
    }
}

#[test]
fn the_grammar_of_vs_code_knows_every_function() {
    let grammar = text("editors/vscode/syntaxes/nnz.tmLanguage.json");
    let line = grammar.lines().find(|line| line.contains("argmin")).unwrap();
    let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).collect();
    for name in functions::function_names() {
        assert!(words.contains(&name), "`{name}` is missing");
    }
}

#[test]
fn the_page_of_schedules_and_the_grammar_know_every_step() {
    let (page, grammar) = (text("docs/schedules.md"), text("editors/vscode/syntaxes/nnz.tmLanguage.json"));
    let line = grammar.lines().find(|line| line.contains("vectorize")).unwrap();
    for info in STEPS {
        assert!(page.contains(&format!("| `{}(", info.name)), "`{}` is missing", info.name);
        assert!(line.split(|c: char| !c.is_alphanumeric()).any(|word| word == info.name), "`{}` is missing", info.name);
        assert!(info.usage.starts_with(&format!("{}(", info.name)), "`{}` is written otherwise", info.name);
    }
}

#[test]
fn every_word_has_a_description() {
    for name in functions::function_names().chain(["min_plus", "or_and", "f32", "u8"]) {
        assert!(functions::describe(name).is_some(), "`{name}`");
    }
    assert_eq!(functions::describe("min_banana"), None);
}
