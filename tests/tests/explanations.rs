//! Every example of `nnz explain` is what it claims to be, in one of the languages. The wrong one gives its code
//! in a check, or in a run if the explanation says that only a run gives it. The right one gives no error, warning or
//! hint, and runs.

use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use nnz_core::{
    check::{mlir::check_mlir, used::NoFiles},
    diagnostic::{Code, Diagnostic},
    host::{Content, Host, Written},
    ids::FileId,
    languages::{Execution, FrontEnd, LANGUAGES},
    machine, mlir,
    session::{Options, Session},
    source::Source,
    threads::STATEMENT_STACK,
};
use nnz_tests::hosts::{Nowhere, Said};

/// Codes without examples: no text gives them by itself.
const WITHOUT: &[Code] = &[
    Code::RunFailed,
    Code::Cancelled,
    Code::CompilerBug,
    Code::DoubtfulFile,
    Code::PartOfFile,
    Code::UnreadFile,
    Code::ArrayMisfit,
    Code::NotCompiled,
    Code::ScriptFailed,
];

/// What an explanation says of a code that `check` does not give.
const ONLY_RUN: &str = "only when the text is run";

fn main() {
    let trials = Code::ALL.iter().map(|&code| Trial::test(code.text(), move || on_its_stack(code)));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

/// Examples run on the stack that every thread gets on which programs run.
fn on_its_stack(code: Code) -> Result<(), Failed> {
    let thread = std::thread::Builder::new().stack_size(STATEMENT_STACK).spawn(move || explanation_holds(code));
    thread.map_err(|error| error.to_string())?.join().map_err(|_| "it panicked".to_string())?
}

fn explanation_holds(code: Code) -> Result<(), Failed> {
    match (examples(code, "wrong")?.as_slice(), examples(code, "right")?.as_slice()) {
        ([], []) if WITHOUT.contains(&code) && says_why_without(code) => Ok(()),
        ([], []) if WITHOUT.contains(&code) => Err("nothing says why there is no example".into()),
        ([], _) | (_, []) => Err("there is no wrong example, or no right one".into()),
        _ if WITHOUT.contains(&code) => Err("there are examples: `WITHOUT` need not name the code".into()),
        (wrong, right) => examples_hold(code, wrong, right),
    }
}

/// Whether it says why it has no example, or has one that is no text of statements.
fn says_why_without(code: Code) -> bool {
    code.explanation().contains("There is no example: ") || code.explanation().contains("```text\n")
}

/// The texts in fences of one kind.
fn examples(code: Code, fence: &str) -> Result<Vec<&'static str>, Failed> {
    let fences = code.explanation().split(&format!("```{fence}\n")).skip(1).collect::<Vec<_>>();
    let closed = |text: &'static str| text.split_once("```").map(|(text, _)| text);
    fences.into_iter().map(|text| closed(text).ok_or_else(|| "a fence is not closed".into())).collect()
}

fn examples_hold(code: Code, wrong: &[&str], right: &[&str]) -> Result<(), Failed> {
    let only_run = code.explanation().contains(ONLY_RUN);
    let gives = |said: &[Diagnostic]| said.iter().any(|found| found.code == code);
    let holds = |language| {
        let fails = wrong.iter().all(|text| match only_run {
            true => !gives(&checked(language, text)) && gives(&ran(language, text)),
            false => gives(&checked(language, text)),
        });
        fails && right.iter().all(|text| is_clean(language, text))
    };
    match LANGUAGES.rows().iter().copied().any(holds) {
        true => Ok(()),
        false => Err(what_they_give(wrong, right).into()),
    }
}

/// To a check, and to a run where there is something to run.
fn is_clean(language: &'static FrontEnd, text: &str) -> bool {
    let runs = !language.is_of_functions() || text.contains("@main");
    checked(language, text).is_empty() && (!runs || ran(language, text).is_empty())
}

fn what_they_give(wrong: &[&str], right: &[&str]) -> String {
    let mut lines = vec!["in no language does the wrong example give the code and the right one nothing".into()];
    for (name, text) in wrong.iter().map(|text| ("wrong", text)).chain(right.iter().map(|text| ("right", text))) {
        for language in LANGUAGES.rows().iter().copied() {
            let codes = |said: Vec<Diagnostic>| said.iter().map(|found| found.code.text()).collect::<Vec<_>>();
            let (check, run) = (codes(checked(language, text)), codes(ran(language, text)));
            lines.push(format!("{name} as {}: a check gives {check:?}, a run {run:?}", language.name));
        }
    }
    lines.join("\n")
}

fn source(text: &str) -> Source {
    Source::new(FileId(0), "example", text)
}

fn session() -> Session {
    Session::new(Arc::new(OneFile), Options::default())
}

fn checked(language: &'static FrontEnd, text: &str) -> Vec<Diagnostic> {
    session().check(language, &source(text), &NoFiles)
}

fn ran(language: &'static FrontEnd, text: &str) -> Vec<Diagnostic> {
    match language.execution {
        Execution::Statements(_) => ran_session(text),
        Execution::Functions(_) => ran_program(text),
        Execution::Arrays(_) | Execution::Nothing => Vec::new(),
    }
}

fn ran_session(text: &str) -> Vec<Diagnostic> {
    let mut said = Vec::new();
    session().run(&source(text), true, &mut |outcome| said.extend(outcome.diagnostics));
    said
}

fn ran_program(text: &str) -> Vec<Diagnostic> {
    let checked = check_mlir(&source(text));
    let modules = match mlir::modules(&checked) {
        Ok(modules) if !checked.has_errors() => modules,
        Ok(_) => return checked.diagnostics,
        Err(own) => return own,
    };
    let mut said = Said::default();
    let options = machine::Options { steps: 1_000_000, ..machine::Options::default() };
    let ended = machine::run(&checked, &modules, "main", (&Nowhere, &mut said), options);
    said.notes.into_iter().chain(ended.err().map(|error| *error)).collect()
}

/// The one file that examples read.
struct OneFile;

impl Host for OneFile {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        match path {
            "matrix.mtx" => Ok(b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.5\n2 2 2.5\n".to_vec()),
            _ => Err("no such file".into()),
        }
    }
    fn write(&self, path: &str, _: Content<'_>) -> Result<Written, String> {
        Err(format!("`{path}` is not to be written"))
    }
}
