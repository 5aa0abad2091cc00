//! The label of every diagnostic says what is the case at its place: it does not repeat the title of the code, which
//! says what kind of mistake it is, and neither does the message. This covers the cases of the suite, checked and run, and
//! the wrong examples of `nnz explain`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use nnz_core::{
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    languages::{FrontEnd, LANGUAGES, NOTATION, SPARSE_TIR},
    session::{Engine, Options, Session},
    source::Source,
};
use nnz_tests::{
    parallel,
    sessions::{Files, is_answer},
};

fn checked(language: &'static FrontEnd, text: &str) -> Vec<Diagnostic> {
    let session = Session::new(Arc::new(Files), Options::default());
    session.check(language, &Source::new(FileId(0), "any", text), &Files)
}

/// What statements say when they are run.
fn ran(text: &str) -> Vec<Diagnostic> {
    let mut said = Vec::new();
    let mut session = Session::new(Arc::new(Files), Options { engine: Engine::Interpreter, ..Options::default() });
    session.run(&Source::new(FileId(0), "any", text), true, &mut |outcome| said.extend(outcome.diagnostics));
    said
}

/// What repeats the title of a code, each once.
fn repeated(said: impl IntoIterator<Item = Diagnostic>) -> Vec<String> {
    let repeats = |one: &Diagnostic| one.reason() == one.code.title() || one.message == one.code.title();
    let wrong = said.into_iter().filter(repeats);
    wrong.map(|one| format!("{}: {}", one.code.text(), one.message)).collect::<BTreeSet<_>>().into_iter().collect()
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

/// The files of a folder, each checked as the language that its ending names.
fn of_folder(folder: &str) -> Vec<Diagnostic> {
    let language = |path: &PathBuf| LANGUAGES.of_path(&path.to_string_lossy());
    let texts = files(folder).into_iter().filter_map(|path| Some((language(&path)?, fs::read_to_string(path).ok()?)));
    texts.flat_map(|(language, text)| checked(language, &text)).collect()
}

#[test]
fn of_sessions() {
    let said = parallel::each(files("suite/session"), |path| {
        let text = fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !is_answer(line)).collect();
        let text = lines.join("\n") + "\n";
        [checked(&NOTATION, &text), ran(&text)].concat()
    });
    assert_eq!(repeated(said.concat()), [""; 0]);
}

#[test]
fn of_encodings() {
    assert_eq!(repeated(of_folder("suite/encoding")), [""; 0]);
}

#[test]
fn of_programs() {
    assert_eq!(repeated(of_folder("programs/errors")), [""; 0]);
    assert_eq!(repeated(of_folder("programs")), [""; 0]);
}

/// The sections of a file of scripts, each a file of its own.
#[test]
fn of_scripts() {
    let texts = files("suite/tir").into_iter().filter_map(|path| fs::read_to_string(path).ok());
    let sections: Vec<String> =
        texts.flat_map(|text| text.split("# --- ").map(|one| format!("# {one}")).collect::<Vec<_>>()).collect();
    let said: Vec<Diagnostic> = sections.iter().flat_map(|text| checked(&SPARSE_TIR, text)).collect();
    assert!(said.len() > sections.len(), "{} said of {} sections", said.len(), sections.len());
    assert_eq!(repeated(said), [""; 0]);
}

#[test]
fn of_explanations() {
    let fences = Code::ALL.iter().flat_map(|code| code.explanation().split("```wrong\n").skip(1));
    let wrong = fences.filter_map(|text| Some(text.split_once("```")?.0));
    let said = wrong.flat_map(|text| {
        LANGUAGES.rows().iter().flat_map(|row| checked(row, text)).chain(ran(text)).collect::<Vec<_>>()
    });
    let said: Vec<Diagnostic> = said.collect();
    assert!(said.len() > Code::ALL.len());
    assert_eq!(repeated(said), [""; 0]);
}
