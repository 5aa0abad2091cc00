//! Hand-written lists of words are complete: the pages of the notation, of encodings and of schedules, and the grammars
//! and word lists of the editors.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{fs, path::Path};

use nnz_core::{
    check::{
        command::Command,
        kernel::{functions, semiring},
    },
    encoding::{
        format::{PROPERTIES, ROWS, beyond_mlir},
        named,
    },
    kernel::schedule::STEPS,
    syntax::{encoding::ENTRY_KEYS, habits},
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
fn the_page_of_encodings_and_an_explanation_know_every_level_format() {
    let (page, explanation) = (text("docs/encodings.md"), text("core/base/src/diagnostic/code/E0128.md"));
    for name in ROWS.iter().map(|row| row.name) {
        let described = [format!("| `{name}"), format!("**`{name}")].iter().any(|head| page.contains(head));
        assert!(described, "`{name}` is missing");
    }
    for name in beyond_mlir() {
        assert!(explanation.contains(&format!("`{name}`")), "`{name}` is missing in E0128");
    }
}

/// The files of the editors that have lists of words.
const EDITORS: &[&str] = &[
    "editors/vscode/syntaxes/nnz.tmLanguage.json",
    "editors/vscode/syntaxes/encoding.tmLanguage.json",
    "editors/vim/syntax/nnz.vim",
    "editors/kate/nnz.xml",
    "editors/kate/mlir.xml",
    "editors/emacs/nnz.el",
];

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect()
}

#[test]
fn every_editor_lists_every_level_format_once() {
    for path in EDITORS {
        let text = text(path);
        let words = words(&text);
        for name in ROWS.iter().map(|row| row.name) {
            let found = words.iter().filter(|word| **word == name).count();
            // `dense` is a word of the notation, too.
            assert!(found == 1 || name == "dense" && found > 1, "{path}: `{name}` {found} times");
        }
    }
}

#[test]
fn an_editor_that_lists_words_of_a_kind_lists_all_of_them() {
    let functions: Vec<&str> = functions::function_names().collect();
    let (steps, commands) = (STEPS.iter().map(|step| step.name), Command::ALL.iter().map(|command| command.name));
    let kinds = [
        ("posWidth", ENTRY_KEYS.to_vec()),
        ("nonordered", PROPERTIES.to_vec()),
        ("argmin", functions),
        ("vectorize", steps.collect()),
        ("dump", commands.collect::<Vec<_>>()),
    ];
    for path in EDITORS {
        let text = text(path);
        let listed = words(&text);
        for (one, all) in kinds.iter().filter(|(one, _)| listed.contains(one)) {
            let missing: Vec<&&str> = all.iter().filter(|word| !listed.contains(word)).collect();
            assert!(missing.is_empty(), "{path} has `{one}`, and not {missing:?}");
        }
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
