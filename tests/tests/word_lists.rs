//! Hand-written lists of words are complete: the pages of the notation, of encodings and of schedules, the lists of the
//! syntax, and the grammars for VS Code.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{fs, path::Path};

use nnz_core::{
    check::kernel::{functions, semiring},
    encoding::{
        format::{Mlir, ROWS},
        named,
    },
    kernel::schedule::STEPS,
    syntax::{
        encoding::{LEVEL_FORMATS, NNZ_LEVEL_FORMATS},
        habits,
    },
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
fn the_lists_of_level_formats_know_every_format() {
    let is_mlir = |name: &&str| ROWS.iter().any(|row| row.name == *name && matches!(row.mlir, Mlir::Has));
    let (mlir, beyond): (Vec<&str>, Vec<&str>) = ROWS.iter().map(|row| row.name).partition(is_mlir);
    assert_eq!((mlir, beyond.as_slice()), (LEVEL_FORMATS.to_vec(), NNZ_LEVEL_FORMATS));
    let explanation = text("core/base/src/diagnostic/code/E0128.md");
    for name in beyond {
        assert!(explanation.contains(&format!("`{name}`")), "`{name}` is missing in E0128");
    }
}

#[test]
fn the_page_of_encodings_and_the_grammars_know_every_level_format() {
    let page = text("docs/encodings.md");
    for name in ROWS.iter().map(|row| row.name) {
        let described = [format!("| `{name}"), format!("**`{name}")].iter().any(|head| page.contains(head));
        assert!(described, "`{name}` is missing");
    }
    for path in ["nnz.tmLanguage.json", "encoding.tmLanguage.json"] {
        let grammar = text(&format!("editors/vscode/syntaxes/{path}"));
        let line = grammar.lines().find(|line| line.contains("loose_compressed")).unwrap();
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        ROWS.iter().for_each(|row| assert!(words.contains(&row.name), "`{}` is missing in {path}", row.name));
    }
}

#[test]
fn the_list_of_formats_knows_every_format() {
    let names: Vec<&str> = named::FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(names, habits::FORMATS);
}

#[test]
fn every_word_has_a_description() {
    for name in functions::function_names().chain(["min_plus", "or_and", "f32", "u8"]) {
        assert!(functions::describe(name).is_some(), "`{name}`");
    }
    assert_eq!(functions::describe("min_banana"), None);
}
