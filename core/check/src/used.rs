//! The files that `use` names. The edge reads them, or reports why it cannot; their definitions are added to the scope.

use std::sync::Arc;

pub use super::checked::Used;
use super::{Checked, Grammar};
use crate::scope::{Signature, Word};
use nnz_base::{
    diagnostic::{Code, Diagnostic, distance},
    ids::FileId,
    source::Source,
};
use nnz_storage::files::{self, FileKind};

/// The edge's files for a check. The core itself opens no file.
pub trait Files: Send + Sync {
    /// The file of this name, checked by itself: files that it uses in turn are not read, as when statements run.
    fn used(&self, path: &str) -> Found;
    /// Why a file of data cannot be read, where that is known without reading it.
    fn unreadable(&self, path: &str) -> Option<String>;
    /// The bytes of a small file of data; `None` where it is not looked into.
    fn data(&self, _path: &str) -> Option<Vec<u8>> {
        None
    }
    /// Why a file of this name cannot be written, where that is known without writing it.
    fn unwritable(&self, _path: &str) -> Option<String> {
        None
    }
}

/// For checks that read no files.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn used(&self, _path: &str) -> Found {
        Found::Unread("no file is".to_string())
    }
    fn unreadable(&self, _path: &str) -> Option<String> {
        None
    }
}

/// The outcome of looking for a file.
#[derive(Clone, Debug)]
pub enum Found {
    File(UsedFile),
    /// Nobody can read it, for this reason.
    Missing(String),
    /// It is not read here, for this reason; a statement that runs may well read it.
    Unread(String),
}

/// A file, checked by itself.
#[derive(Clone, Debug)]
pub struct UsedFile {
    pub checked: Arc<Checked>,
    /// Those that a session can call, without their `@`.
    pub functions: Vec<(String, Arc<Signature>)>,
    /// Why it cannot be used.
    pub wrong: Option<Box<Diagnostic>>,
}

/// A file that cannot be read.
pub fn unreadable(file: FileId, path: &Word, reason: &str) -> Diagnostic {
    // What the system says, without its number.
    let (said, number) = reason.split_once(" (os error ").unwrap_or((reason, ""));
    let (message, label) = match number == "2)" {
        true => (format!("there is no file `{}`", path.text), "no such file"),
        false => (format!("cannot read `{}`: {said}", path.text), "not read"),
    };
    Diagnostic::new(Code::BadFile, file, path.span, message).label(label)
}

/// As [`unreadable`], behind `use`, which takes no data.
pub fn unusable(file: FileId, path: &Word, reason: &str) -> Diagnostic {
    let error = unreadable(file, path, reason);
    match FileKind::of_path(&path.text) {
        Some(_) => error.help(format!("data is read by a definition: `A : CSR = read \"{}\"`", path.text)),
        None => error,
    }
}

/// A file that cannot be written.
pub fn unwritable(file: FileId, path: &Word, reason: &str) -> Diagnostic {
    let message = format!("cannot write `{}`: {reason}", path.text);
    Diagnostic::new(Code::BadFile, file, path.span, message).label("not written")
}

/// The error for a data file that nnz cannot read, judging by its name.
pub fn unknown_kind(file: FileId, path: &Word) -> Option<Diagnostic> {
    if FileKind::of_path(&path.text).is_some() {
        return None;
    }
    if path.text.is_empty() {
        let error = Diagnostic::new(Code::BadFile, file, path.span, "the name of a file is empty");
        return Some(error.label("no name").help("as in `A : CSR = read \"file.mtx\"`"));
    }
    let known: Vec<&str> = FileKind::ALL.iter().flat_map(|kind| kind.extensions()).copied().collect();
    let message = format!("the name of `{}` does not tell what is in it", path.text);
    let error = Diagnostic::new(Code::BadFile, file, path.span, message).label("no ending that nnz knows");
    if let Some(packed) = files::packed_by_name(&path.text) {
        let message = format!("`{}`: {packed} is not read", path.text);
        let error = Diagnostic::new(Code::BadFile, file, path.span, message).label("packed");
        return Some(error.help("decompress the file first, or pack it with gzip"));
    }
    if path.text.ends_with(".npy") {
        let message = format!("`{}`: a NumPy array (`.npy`) is not read", path.text);
        let error = Diagnostic::new(Code::BadFile, file, path.span, message).label("not read");
        let help = "write it with `scipy.io.mmwrite(\"a.mtx\", a)`, a sparse matrix also with `scipy.sparse.save_npz`";
        return Some(
            error.help(format!("{help}; a vector is a file of one column: `x : tensor<10xf64> = read \"x.mtx\"`")),
        );
    }
    if Grammar::ALL.iter().any(|grammar| path.text.ends_with(&format!(".{}", grammar.extension()))) {
        let message = format!("`{}` holds statements, and no data", path.text);
        let error = Diagnostic::new(Code::BadFile, file, path.span, message).label("a text");
        if path.text.ends_with(".mlir") {
            let help = format!("its functions are taken over by `use \"{}\"`, and called: `y = @f(x)`", path.text);
            return Some(error.help(help));
        }
        return Some(error.help("a tensor of it is written by `:write A \"a.mtx\"`, in a session that has it"));
    }
    if let Some((stem, meant)) = near_ending(&path.text, &known) {
        return Some(error.help(format!("did you mean `{stem}.{meant}`?")));
    }
    Some(error.help(format!("files end in .{}, each also with .gz", known.join(", ."))))
}

/// `m` and `mtx` for `m.mtz`.
fn near_ending<'t>(path: &'t str, known: &[&'t str]) -> Option<(&'t str, &'t str)> {
    let (stem, ending) = path.rsplit_once('.')?;
    let near = known.iter().find(|known| ending.len() > 2 && distance(ending, known) == 1)?;
    Some((stem, near))
}

/// The error for a file that has errors itself.
pub fn wrong_file(file: FileId, path: &Word, (checked, error): (&Checked, &Diagnostic)) -> Diagnostic {
    let at = checked.source.line_col(error.primary.span.start as usize);
    let place = format!("line {}, column {}", at.line + 1, at.column + 1);
    let message = format!("`{}`, {place}: {}", path.text, error.message);
    let found = Diagnostic::new(Code::BadFile, file, path.span, message).label("has an error of its own");
    let found = found.elsewhere(&checked.source, error.primary.span, error.reason());
    found.help(format!("`nnz check {}` shows every error", path.text))
}

/// What a function of a program reports, at its call, because the reader does not see the program's text.
pub fn at_call((file, call): (FileId, &Word), program: &Source, path: &str, said: &Diagnostic) -> Diagnostic {
    let (line, column) = program.line_and_character(said.primary.span.start as usize);
    let message = format!("{} (`{path}`, line {line}, column {column})", said.message);
    let mut told = Diagnostic::new(said.code, file, call.span, message).label(format!("within `@{}`", call.text));
    told.helps.clone_from(&said.helps);
    told.elsewhere(program, said.primary.span, said.reason())
}

/// What a function costs, at its call.
pub fn cost_of_call((file, call): (FileId, &Word), program: &Source, path: &str, cost: &Diagnostic) -> Diagnostic {
    let mut told = at_call((file, call), program, path, cost);
    told.message = format!("`@{}`: {}", call.text, told.message);
    told
}

/// A file that is not looked into.
pub(crate) fn unread(file: FileId, path: &Word, reason: &str) -> Diagnostic {
    let message = format!("`{}` is not read here: {reason}", path.text);
    let found = Diagnostic::new(Code::UnreadFile, file, path.span, message).label("not read");
    found.note("names that may come from it are taken as they are")
}
