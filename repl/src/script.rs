//! Files, pipes and one-liners: no prompt, no line editor. The whole text is parsed, so an unfinished last statement is
//! an error and is not lost.

use std::path::Path;

use nnz_core::{
    check,
    diagnostic::{Code, Diagnostic, did_you_mean},
    languages::{Execution, FrontEnd, LANGUAGES},
    memory,
    session::{Session, Verdict},
    source::{Source, Span},
    storage::files::{self as data, FileKind, ReadOptions, is_packed},
};

use crate::{
    cli::{self, Check, Run},
    exit::Exit,
    expected, files,
    host::Cancel,
    output::{Output, eprint},
    program,
    render::one_line,
    words::COMMAND_LINE,
};

/// The name of a text without a file.
const STDIN: &str = "<stdin>";

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

/// A file of a language that is only checked.
pub(crate) fn not_run(output: &mut Output, name: &str, language: &FrontEnd) -> Exit {
    let message = format!("`{name}` does not run: {} is only checked", language.name);
    let wrong = output.wrong_word(name, Code::BadFile, message).label("not run");
    output.diagnostic(&wrong.help(format!("`nnz check {name}` says what is wrong with it")));
    Exit::Failed
}

/// A text to run, and its language.
pub(crate) struct Text {
    pub(crate) language: &'static FrontEnd,
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The text of a file, or of standard input for `-`, which is in nnz notation.
///
/// # Errors
/// It cannot be read, or is not in a language that nnz reads; this is reported.
pub(crate) fn open(output: &mut Output, file: &Path) -> Result<Text, Exit> {
    if is_data(file) {
        return Err(data_alone(output, file));
    }
    let (name, text) = read(file).map_err(|reason| match language_of(file) {
        None if file.is_file() => no_text(output, file),
        _ => unreadable(output, file, &reason),
    })?;
    let stdin = output.stdin_name.clone();
    let named = called(file, stdin.as_deref());
    let language = language_of(named).ok_or_else(|| unknown_language(output, named, &text))?;
    let name = if named == file { name } else { named.display().to_string() };
    Ok(Text { language, name, text })
}

/// The path that gives the language of a file and its folder: standard input may have been given a name.
pub(crate) fn called<'f>(file: &'f Path, stdin: Option<&'f Path>) -> &'f Path {
    stdin.filter(|_| file == Path::new("-")).unwrap_or(file)
}

/// The language of a file, by its name.
pub(crate) fn language_of(file: &Path) -> Option<&'static FrontEnd> {
    LANGUAGES.of_path(&file.to_string_lossy())
}

/// The ending of a file's name is that of no language.
fn unknown_language(output: &mut Output, file: &Path, text: &str) -> Exit {
    let path = file.display().to_string();
    let wrong = output.wrong_word(&path, Code::BadFile, format!("the name of `{path}` does not tell its language"));
    let wrong = wrong.label("no ending that nnz knows").help(format!("texts end in {}", LANGUAGES.endings()));
    let command = cli::words().nth(1).unwrap_or_default();
    if holds_numbers(file, text) {
        output.diagnostic(&wrong.help(format!("{}: write it with `scipy.io.mmwrite`", data_endings())));
        return Exit::Failed;
    }
    let wrong = if command == "check" { wrong.help(data_endings()) } else { wrong };
    let (command, does) = match command.as_str() {
        "check" => ("check ", "checks it"),
        "fmt" => ("fmt ", "lays it out"),
        _ => ("", "runs it"),
    };
    output.diagnostic(&wrong.help(format!("`nnz {command}- < {path}` {does} as nnz notation")));
    Exit::Failed
}

/// Whether a file is a table of numbers, by its name or its first line.
fn holds_numbers(file: &Path, text: &str) -> bool {
    let table = file.extension().is_some_and(|ending| ["csv", "tsv", "dat"].iter().any(|known| ending == *known));
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let mut words = first.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()).peekable();
    table || words.peek().is_some() && words.all(|word| word.parse::<f64>().is_ok())
}

/// What the names of files of data end in.
fn data_endings() -> String {
    let known: Vec<&str> = FileKind::ALL.iter().flat_map(|kind| kind.extensions()).copied().collect();
    format!("data end in .{}", known.join(", ."))
}

/// A file of bytes whose name says nothing.
fn no_text(output: &mut Output, file: &Path) -> Exit {
    let path = file.display().to_string();
    let message = format!("`{path}` is no text, and its name does not tell what data it holds");
    let wrong = output.wrong_word(&path, Code::BadFile, message).label("no ending that nnz knows");
    let wrong = wrong.help(format!("{}: write it with `scipy.sparse.save_npz` or `scipy.io.mmwrite`", data_endings()));
    output.diagnostic(&wrong.help(format!("texts end in {}", LANGUAGES.endings())));
    Exit::Failed
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
                    false => found.iter().for_each(|diagnostic| output.diagnostic(diagnostic)),
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

/// A file whose name says that it holds data.
pub(crate) fn is_data(file: &Path) -> bool {
    kind_of(file).is_some() && file.exists()
}

fn kind_of(file: &Path) -> Option<FileKind> {
    file.to_str().and_then(FileKind::of_path)
}

/// Reads a data file, and reports its mistakes.
fn check_data(output: &mut Output, file: &Path, kind: FileKind) -> Exit {
    let path = file.display().to_string();
    let read = match files::read(&path) {
        Ok(bytes) => data::read(kind, &bytes, &ReadOptions::default(), &data::unwatched),
        Err(error) => return unreadable(output, file, &error.to_string()),
    };
    let Err(error) = read else { return Exit::Fine };
    let mut wrong = output.wrong_word(&path, Code::BadFile, format!("`{path}`: {error}")).label("read here");
    wrong.data = error.data_place(&path).map(Box::new);
    wrong.notes.extend(error.notes());
    wrong.helps.extend(error.help.clone());
    output.diagnostic(&wrong);
    Exit::Failed
}

/// The error for a data file where statements are expected.
pub(crate) fn data_alone(output: &mut Output, file: &Path) -> Exit {
    let path = file.display().to_string();
    let wrong = output.wrong_word(&path, Code::BadFile, format!("`{path}` holds data and no statements"));
    let wrong = wrong.label("data").help(format!("a statement reads it: `nnz -c 'A : CSR = read \"{path}\"'`"));
    output.diagnostic(&wrong.help(format!("`nnz check {path}` says whether it is as it should be")));
    Exit::Failed
}

fn disagreements(source: &Source, found: &[Diagnostic]) -> Exit {
    let wrong = expected::verify(source, found);
    wrong.iter().for_each(|wrong| {
        eprint(&format!("{}:{}: {}\n", one_line(&source.name), wrong.line, one_line(&wrong.message)))
    });
    if wrong.is_empty() { Exit::Fine } else { Exit::Failed }
}

/// The name and text of a file, or of standard input for `-`.
pub(crate) fn read(file: &Path) -> Result<(String, String), String> {
    let bytes = files::read_text(file).map_err(|error| error.to_string())?;
    let name = if file == Path::new("-") { STDIN.to_owned() } else { file.display().to_string() };
    text(bytes).map(|text| (name, text))
}

/// # Errors
/// Where the bytes are not text, by line, or how they are packed.
fn text(bytes: Vec<u8>) -> Result<String, String> {
    if let Some(packed) = is_packed(&bytes) {
        return Err(packed);
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("line {line} is not UTF-8 text")
    })
}

pub(crate) fn unreadable(output: &mut Output, file: &Path, reason: &str) -> Exit {
    if file == Path::new("-") {
        let wrong = output.wrong_word("-", Code::BadFile, format!("cannot read standard input: {reason}"));
        output.diagnostic(&wrong.label("not to be read"));
        return Exit::Failed;
    }
    let is_word = file.to_str().is_some_and(|word| !word.contains(['.', '/']));
    let command = file.to_str().filter(|_| !file.exists()).and_then(cli::command_like);
    if is_word && !file.exists() {
        eprint(&cli::neither(&file.display().to_string()));
        return Exit::Misused;
    }
    let path = file.display().to_string();
    let (message, label) = match file {
        _ if file.is_dir() => (format!("`{path}` is a folder, and no text"), "a folder"),
        _ if !file.exists() => (format!("there is no file `{path}`"), "no such file"),
        _ => (format!("cannot read `{path}`: {reason}"), "not to be read"),
    };
    let wrong = output.wrong_word(&path, Code::BadFile, message).label(label);
    let span = wrong.primary.span;
    output.diagnostic(&match (command, file_like(file)) {
        (Some(command), _) => wrong.help(format!("did you mean `nnz {command}`?")),
        (None, Some(near)) if !file.exists() => wrong.guess(span, near),
        (None, _) => wrong,
    });
    Exit::Failed
}

/// A file of the same folder whose name a path may misspell.
fn file_like(file: &Path) -> Option<String> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let names = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?.flatten();
    let names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let near = did_you_mean(file.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(file.with_file_name(near).display().to_string())
}
