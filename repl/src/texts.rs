//! The texts that the command line names: read, or refused with what was probably meant.

use std::path::Path;

use nnz_core::{
    diagnostic::{Code, did_you_mean},
    languages::{FrontEnd, LANGUAGES},
    storage::files::{FileKind, is_packed},
};

use crate::{
    cli,
    exit::Exit,
    files,
    language::{called, language_of},
    output::{Output, eprint},
    words::words,
};

/// The name of a text without a file.
const STDIN: &str = "<stdin>";

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

/// The ending of a file's name is that of no language.
fn unknown_language(output: &mut Output, file: &Path, text: &str) -> Exit {
    let path = file.display().to_string();
    let wrong = output.wrong_word(&path, Code::BadFile, format!("the name of `{path}` does not tell its language"));
    let wrong = wrong.label("no ending that nnz knows").help(format!("texts end in {}", LANGUAGES.endings()));
    let command = words().nth(1).unwrap_or_default();
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
    let numpy = file.extension().is_some_and(|ending| ending == "npy");
    let (message, label) = match numpy {
        true => (format!("`{path}`: a NumPy array (`.npy`) is not read"), "not read"),
        false => {
            (format!("`{path}` is no text, and its name does not tell what data it holds"), "no ending that nnz knows")
        }
    };
    let wrong = output.wrong_word(&path, Code::BadFile, message).label(label);
    let how = "write an array with `scipy.io.mmwrite`, a sparse matrix also with `scipy.sparse.save_npz`";
    let wrong = wrong.help(format!("{}: {how}", data_endings()));
    output.diagnostic(&wrong.help(format!("texts end in {}", LANGUAGES.endings())));
    Exit::Failed
}

/// A file whose name says that it holds data.
fn is_data(file: &Path) -> bool {
    kind_of(file).is_some() && file.exists()
}

pub(crate) fn kind_of(file: &Path) -> Option<FileKind> {
    file.to_str().and_then(FileKind::of_path)
}

/// The error for a data file where statements are expected.
fn data_alone(output: &mut Output, file: &Path) -> Exit {
    let path = file.display().to_string();
    let wrong = output.wrong_word(&path, Code::BadFile, format!("`{path}` holds data and no statements"));
    let wrong = wrong.label("data").help(format!("a statement reads it: `nnz -c 'A : CSR = read \"{path}\"'`"));
    output.diagnostic(&wrong.help(format!("`nnz check {path}` says whether it is as it should be")));
    Exit::Failed
}

/// The name and text of a file, or of standard input for `-`.
fn read(file: &Path) -> Result<(String, String), String> {
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
    let is_word = file.to_str().is_some_and(|word| !word.contains(['.', '/']) && cli::is_first_word(word));
    let command = file.to_str().filter(|_| !file.exists()).and_then(cli::command_like);
    if is_word && !file.exists() {
        eprint(&cli::neither(&file.display().to_string(), file_like(file).as_deref()));
        return Exit::Misused;
    }
    let path = file.display().to_string();
    let (message, label) = match file {
        _ if file.is_dir() => (format!("`{path}` is a folder, and no text"), "a folder"),
        _ if !file.exists() && !file.is_symlink() => (format!("there is no file `{path}`"), "no such file"),
        _ => (format!("cannot read `{path}`: {reason}"), "not to be read"),
    };
    let wrong = output.wrong_word(&path, Code::BadFile, message).label(label);
    let span = wrong.primary.span;
    output.diagnostic(&match (command, file_like(file)) {
        (Some(command), _) => wrong.help(format!("did you mean `nnz {command}`?")),
        (None, Some(near)) if !file.exists() && near != path => wrong.guess(span, near),
        (None, _) => wrong,
    });
    Exit::Failed
}

fn is_text(ending: &str) -> bool {
    matches!(ending, "mlir" | "nnz")
}

/// A file of the same folder whose name a path may misspell.
fn file_like(file: &Path) -> Option<String> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let names = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?.flatten();
    let names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let name = file.file_name()?.to_str()?;
    // `e01` for `e01.mlir`.
    let whole = |known: &&String| known.rsplit_once('.').is_some_and(|(stem, end)| stem == name && is_text(end));
    if let Some(known) = names.iter().find(whole) {
        return Some(file.with_file_name(known).display().to_string());
    }
    let near = did_you_mean(file.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(file.with_file_name(near).display().to_string())
}
