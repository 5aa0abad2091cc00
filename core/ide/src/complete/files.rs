//! The names of files in strings: after `use` those of texts, after `read` those of data.

use nnz_base::source::Span;
use nnz_storage::files::FileKind;
use nnz_syntax::{TokenKind, TokenRef, Tree};

use super::{Completion, CompletionKind, MOST};

/// What is in the folders of the edge. The core itself opens none.
pub trait Folders {
    /// The files and folders in the folder that a text names so; the empty name is where paths begin.
    fn entries(&self, folder: &str) -> Vec<Entry>;
}

/// For places without files.
#[derive(Clone, Copy, Debug)]
pub struct NoFolders;

impl Folders for NoFolders {
    fn entries(&self, _folder: &str) -> Vec<Entry> {
        Vec::new()
    }
}

/// A regular file or a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub name: String,
    pub is_folder: bool,
    /// Its text can be used.
    pub is_text: bool,
}

/// A comment, or a string with the text before it.
pub(super) enum Prose<'t> {
    /// Neither an item of the language nor a file.
    Other,
    Path {
        wants: Wants,
        /// From the opening quote to the cursor.
        typed: &'t str,
        /// The part behind the last slash, up to the closing quote.
        replace: Span,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wants {
    Texts,
    Data,
}

/// Behind the `//` of a comment or the opening quote of a string.
pub(super) fn prose(tree: &Tree, offset: usize) -> Option<Prose<'_>> {
    let token = offset.checked_sub(1).and_then(|at| tree.token_at(at))?;
    let closed = token.text().len() > 1 && token.text().ends_with('"');
    let behind = closed && token.span().end as usize == offset;
    match token.kind() == TokenKind::String && !behind {
        true => Some(path(token, closed, offset).unwrap_or(Prose::Other)),
        false => {
            (token.kind() == TokenKind::Comment && token.span().start as usize + 1 < offset).then_some(Prose::Other)
        }
    }
}

fn path(token: TokenRef<'_>, closed: bool, offset: usize) -> Option<Prose<'_>> {
    let wants = match token.previous()?.text() {
        "use" => Wants::Texts,
        "read" => Wants::Data,
        _ => return None,
    };
    let start = token.span().start as usize + 1;
    let typed = token.text().get(1..offset.checked_sub(start - 1)?)?;
    let slash = typed.rfind('/').map_or(0, |at| at + 1);
    let end = (token.span().end as usize - usize::from(closed)).max(offset);
    Some(Prose::Path { wants, typed, replace: Span::new(start + slash, end) })
}

pub(super) fn completions(prose: &Prose<'_>, folders: &dyn Folders) -> Vec<Completion> {
    let Prose::Path { wants, typed, replace } = prose else { return Vec::new() };
    let (folder, name) = typed.rsplit_once('/').map_or(("", *typed), |(folder, name)| (folder, name));
    let folder = if typed.starts_with('/') && folder.is_empty() { "/" } else { folder };
    let is_wanted = |entry: &Entry| match wants {
        Wants::Texts => entry.is_text,
        Wants::Data => FileKind::of_path(&entry.name).is_some(),
    };
    let mut found = folders.entries(folder);
    found.retain(|entry| entry.name.starts_with(name) && (entry.is_folder || is_wanted(entry)));
    found.sort_by(|one, other| (one.is_folder, &one.name).cmp(&(other.is_folder, &other.name)));
    found.dedup();
    found.into_iter().take(MOST).map(|entry| completion(entry, *replace)).collect()
}

fn completion(entry: Entry, replace: Span) -> Completion {
    let slash = if entry.is_folder { "/" } else { "" };
    let insert = format!("{}{slash}", entry.name);
    Completion {
        filter: insert.clone(),
        label: insert.clone(),
        insert,
        snippet: None,
        detail: if entry.is_folder { "a folder" } else { "a file" }.to_string(),
        kind: if entry.is_folder { CompletionKind::Folder } else { CompletionKind::File },
        replace,
    }
}
