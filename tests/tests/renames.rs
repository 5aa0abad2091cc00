//! Every name of the examples and programs gets another one, and its own again: the text is as before, and on the way
//! nothing is said of it but the same in other names.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use nnz_core::{
    diagnostic::Edit,
    ids::FileId,
    languages::{Answers, FrontEnd, Known, LANGUAGES},
    source::Source,
    syntax::{TokenKind, lexer::lex},
};

fn checked(language: &FrontEnd, text: &str) -> Arc<dyn Answers> {
    language.check_alone(&Source::new(FileId(0), "renamed", text))
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_string();
    for edit in edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.replacement);
    }
    text
}

#[test]
fn symbols_of_one_name_in_several_modules_are_refused_with_a_reason() {
    let text =
        "module @a {\n  func.func @f() {\n    return\n  }\n}\nmodule @b {\n  func.func @f() {\n    return\n  }\n}\n";
    let language = LANGUAGES.of_path("two.mlir").unwrap();
    let answers = checked(language, text);
    let reason = answers.prepare_rename(text.find("@f").unwrap()).err().unwrap();
    assert!(reason.contains("line 7"), "{reason}");
    assert!(answers.prepare_rename(text.find("@a").unwrap()).is_ok());
}

/// The text with another name for what stands at `offset`, if it can be renamed; and the name before.
fn renamed(language: &FrontEnd, text: &str, offset: usize, name: &str) -> Option<(String, String)> {
    let answers = checked(language, text);
    let old = answers.prepare_rename(offset).ok()?;
    let name = nnz_core::ide::rename::new_name(&old, name).unwrap();
    let edits =
        answers.rename(&old, &name).unwrap_or_else(|reason| panic!("{} at {offset}: {reason}\n{text}", old.text));
    Some((applied(text, &edits), old.text))
}

fn messages(language: &FrontEnd, text: &str) -> Vec<String> {
    let found = checked(language, text).diagnostics(&mut Known::default(), &|| false);
    let mut messages: Vec<String> = found.iter().map(|one| format!("{}: {}", one.code.text(), one.message)).collect();
    messages.sort();
    messages
}

/// A name that no text has.
fn fresh(count: usize) -> String {
    format!("zq{count}zq")
}

/// Renames everything that has a name, from the beginning to the end: the text, and the names that were given, without
/// their sigils.
fn all_renamed(language: &FrontEnd, text: &str) -> (String, Vec<(String, String)>) {
    let (mut text, mut names, mut at) = (text.to_string(), Vec::new(), 0);
    while let Some(token) =
        lex(&text).windows(2).find(|token| token[0].start as usize >= at && may_be_name(token[0].kind))
    {
        let word = &text[token[0].start as usize..token[1].start as usize];
        let (start, known) = (token[0].start as usize, word.contains("zq"));
        at = start + 1;
        if let Some((other, old)) = (!known).then(|| renamed(language, &text, start, &fresh(names.len()))).flatten() {
            names.push((old, fresh(names.len())));
            text = other;
        }
    }
    (text, names)
}

fn may_be_name(kind: TokenKind) -> bool {
    use TokenKind::{AtId, BangId, CaretId, HashId, Ident, PercentId};
    matches!(kind, Ident | HashId | BangId | PercentId | AtId | CaretId)
}

fn there_and_back(path: &Path) -> usize {
    let language = LANGUAGES.of_path(path.to_str().unwrap()).unwrap();
    let text = fs::read_to_string(path).unwrap();
    let (mut other, names) = all_renamed(language, &text);
    let in_old_names = |message: String| {
        let bare = |old: &str| old.trim_start_matches(['#', '!', '@', '%', '^']).to_string();
        names.iter().fold(message, |message, (old, new)| message.replace(new.as_str(), &bare(old)))
    };
    let mut there: Vec<String> = messages(language, &other).into_iter().map(in_old_names).collect();
    there.sort();
    assert_eq!(there, messages(language, &text), "{}\n{other}", path.display());
    for (old, new) in names.iter().rev() {
        let offset = other.find(new.as_str()).unwrap();
        other = renamed(language, &other, offset, old).unwrap().0;
    }
    assert_eq!(other, text, "{}", path.display());
    names.len()
}

fn texts(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut texts: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "mlir" || e == "nnz")).collect();
    texts.sort();
    texts
}

fn every_name_of(texts: &[PathBuf]) -> usize {
    let (one, other) = texts.split_at(texts.len() / 2);
    let count = |texts: &[PathBuf]| texts.iter().map(|path| there_and_back(path)).sum::<usize>();
    std::thread::scope(|scope| {
        let half = scope.spawn(|| count(one));
        count(other) + half.join().unwrap()
    })
}

#[test]
fn every_name_of_the_examples() {
    assert!(every_name_of(&texts("../examples")) > 50);
}

#[test]
fn every_name_of_the_programs() {
    let every = if std::env::var_os("NNZ_DRAWS").is_some() { 1 } else { 8 };
    let some: Vec<PathBuf> = texts("programs").into_iter().step_by(every).collect();
    assert!(every_name_of(&some) > 3000 / every);
}
