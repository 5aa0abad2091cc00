//! Files, pipes and one-liners: no prompt, no line editor. The whole text is parsed, so an unfinished last statement is
//! an error and is not lost.

use std::path::Path;

use nnz_core::{
    check::{
        self,
        scope::Word,
        session::{file_doubt, file_error},
    },
    diagnostic::{Code, Diagnostic},
    host::Host,
    languages::{Execution, FrontEnd},
    memory,
    session::{Session, Verdict},
    source::{Source, Span},
    storage::files::{self as data, FileKind, ReadOptions},
};

use crate::{
    arrays,
    cli::{Check, Run},
    exit::Exit,
    expected,
    host::{Cancel, LocalHost},
    language::called,
    output::{Output, eprint},
    program,
    render::one_line,
    texts::{Text, kind_of, not_run, open, unreadable},
    words::COMMAND_LINE,
};

/// Runs files one after the other: session files in one session, programs each by itself.
pub(crate) fn run_all(session: &mut Session, output: &mut Output, run: &Run, cancel: &Cancel) -> Exit {
    let printer = program::Printer::default();
    let mut exit = Exit::Fine;
    for file in &run.files {
        let ran = match open(output, file) {
            Ok(text) => run_one(session, output, (run, text), (cancel, &printer)),
            Err(exit) => exit,
        };
        exit = exit.worse(ran);
        if exit == Exit::Interrupted || exit != Exit::Fine && !run.keep_going {
            break;
        }
    }
    exit
}

/// Runs a file by the rules of its language.
fn run_one(
    session: &mut Session,
    output: &mut Output,
    (run, Text { language, name, text }): (&Run, Text),
    stop: (&Cancel, &program::Printer),
) -> Exit {
    match language.execution {
        Execution::Statements(_) => run_text(session, output, &name, text, run.keep_going),
        Execution::Functions(read) => {
            let text = program::Text { name: &name, text, read };
            match (&run.program.args, run.program.at.as_deref()) {
                (_, Some(kernel)) => run_at(session, output, (run, text), kernel),
                (Some(given), None) => program::call(session, output, text, (run, given)),
                (None, None) => program::run(session, output, text, (run, stop)),
            }
        }
        Execution::Arrays(functions) => arrays::call(output, (&name, text), (run, functions)),
        Execution::Nothing => not_run(output, &name, language),
    }
}

/// Runs a program until it reaches a kernel, then the statements that are to follow.
fn run_at(session: &mut Session, output: &mut Output, (run, text): (&Run, program::Text<'_>), kernel: &str) -> Exit {
    match program::catch(session, output, text, Some(kernel)) {
        Ok(_) => {
            let then = run.program.then.clone().unwrap_or_default();
            run_text(session, output, COMMAND_LINE, then, run.keep_going)
        }
        Err(exit) => exit,
    }
}

/// Runs one text.
pub(crate) fn run_text(session: &mut Session, output: &mut Output, name: &str, text: String, keep_going: bool) -> Exit {
    let source = output.add(name, text);
    run_source(session, output, &source, keep_going)
}

fn run_source(session: &mut Session, output: &mut Output, source: &Source, keep_going: bool) -> Exit {
    match session.run_telling(source, keep_going, &mut |event| output.event(&event)) {
        Verdict::Fine | Verdict::Quit => Exit::Fine,
        Verdict::Failed => Exit::Failed,
        Verdict::Cancelled => Exit::Interrupted,
    }
}

/// Prints every diagnostic of the files, each checked by itself, or the differences from the expectations in
/// their comments.
pub(crate) fn check(session: &Session, output: &mut Output, check: &Check) -> Exit {
    let (mut exit, lints) = (Exit::Fine, check.lints());
    for file in &check.files {
        if let Some(kind) = kind_of(file).filter(|_| file.exists()) {
            exit = exit.worse(check_data(output, file, kind));
            continue;
        }
        match open(output, file) {
            Ok(Text { language, name, text }) => {
                let source = output.add(&name, text);
                let stdin = output.stdin_name.clone();
                let found = checked(session, language, &source, called(file, stdin.as_deref()));
                let found = lints.applied(&found);
                match check.expected {
                    true => exit = exit.worse(disagreements(&source, &found)),
                    false => output.found(found.into_owned()),
                }
            }
            Err(failed) => exit = exit.worse(failed),
        }
    }
    if let Some(tally) = output.tally() {
        eprint(&format!("{tally}\n"));
    }
    if output.errors() > 0 { Exit::Failed } else { exit }
}

/// The diagnostics of a text, or one that says that there is no memory to check it.
fn checked(session: &Session, language: &FrontEnd, source: &Source, file: &Path) -> Vec<Diagnostic> {
    if let Err(refused) = check::room(source) {
        return vec![*refused];
    }
    let found = session.check(language, source, &nnz_lsp::FromDisk::beside(Some(file)));
    match memory::shortage() {
        Some(short) => {
            let message = format!("this text is not checked: {short}");
            vec![Diagnostic::new(Code::TooLarge, source.id, Span::at(0), message)]
        }
        None => found,
    }
}

/// Reads a data file, and reports its mistakes.
fn check_data(output: &mut Output, file: &Path, kind: FileKind) -> Exit {
    let path = file.display().to_string();
    let host = LocalHost::new(Cancel::default(), false);
    let read = match host.open(&path) {
        Ok(source) => data::read_from(kind, source.as_ref(), &ReadOptions::default(), &data::unwatched),
        Err(error) => return unreadable(output, file, &error),
    };
    let named = output.wrong_word(&path, Code::BadFile, String::new()).primary;
    let word = Word { text: path, span: named.span };
    match read {
        Ok(read) => {
            let doubts = read.notes.iter().filter(|note| note.is_doubt());
            doubts.for_each(|note| output.diagnostic(&file_doubt(named.file, &word, note)));
            Exit::Fine
        }
        Err(error) => {
            output.diagnostic(&file_error(named.file, &word, &error));
            Exit::Failed
        }
    }
}

fn disagreements(source: &Source, found: &[Diagnostic]) -> Exit {
    let wrong = expected::verify(source, found);
    wrong.iter().for_each(|wrong| {
        eprint(&format!("{}:{}: {}\n", one_line(&source.name), wrong.line, one_line(&wrong.message)))
    });
    if wrong.is_empty() { Exit::Fine } else { Exit::Failed }
}
