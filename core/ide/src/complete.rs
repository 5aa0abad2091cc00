//! `textDocument/completion`, for editors and the REPL alike. It looks at the tokens before the
//! cursor, not at the tree, so that it works in the middle of a broken text.

mod attributes;
mod cursor;
mod encoding;
mod files;
mod known;
mod program;
mod schedule;
mod session;
mod snippet;
mod values;
mod whole;

pub use files::{Entry, Folders, NoFolders};
pub use snippet::Snippet;

use nnz_base::source::Span;
use nnz_check::{Checked, scope::Scope};

use self::{cursor::Cursor, known::Known};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    Format,
    Property,
    Key,
    Encoding,
    Variable,
    Function,
    /// Of an MLIR program.
    Operation,
    Command,
    Keyword,
    File,
    Folder,
}

impl CompletionKind {
    pub const ALL: [CompletionKind; 11] = {
        use CompletionKind::*;
        [Format, Property, Key, Encoding, Variable, Function, Operation, Command, Keyword, File, Folder]
    };
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub label: String,
    /// The text that replaces `replace`.
    pub insert: String,
    /// The same with places to fill in.
    pub snippet: Option<Snippet>,
    /// What is compared with the text that is typed.
    pub filter: String,
    /// One line.
    pub detail: String,
    pub kind: CompletionKind,
    pub replace: Span,
}

/// The most items of a list; a list of this length may be incomplete.
pub const MOST: usize = 500;

/// The completions at `offset`, best first, filtered by the start of the word there; `folders` has the files.
pub fn complete(checked: &Checked, offset: usize, folders: &dyn Folders) -> Vec<Completion> {
    complete_within(checked, &Scope::default(), offset, folders)
}

/// As [`complete`], with the names of `scope` besides those of the text.
pub fn complete_within(checked: &Checked, scope: &Scope, offset: usize, folders: &dyn Folders) -> Vec<Completion> {
    if let Some(words) = attributes::in_string(checked, offset) {
        return words;
    }
    if let Some(prose) = files::prose(&checked.tree, offset) {
        return files::completions(&prose, folders);
    }
    let cursor = Cursor::new(&checked.tree, offset);
    let known = Known { checked, scope, prefix: &cursor.prefix, before: cursor.replace.start };
    let items = cursor.items(&known).into_iter().filter(|item| item.fits(&cursor.prefix));
    items.take(MOST).collect()
}

impl Completion {
    fn fits(&self, prefix: &str) -> bool {
        self.filter.starts_with(prefix) || self.insert.starts_with(prefix)
    }
    /// With places to fill in, marked as in [`Snippet::of`].
    fn with(self, marked: &str) -> Completion {
        Completion { snippet: Some(Snippet::of(marked)), ..self }
    }
    /// That inserts this.
    fn inserting(self, insert: impl Into<String>) -> Completion {
        Completion { insert: insert.into(), ..self }
    }
}
