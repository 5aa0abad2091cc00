//! Other ways to say a structure: the encoding of a buffer as a comment, and a format description of an encoding that
//! stands in a comment.

use std::ops::Range;

use nnz_base::{
    diagnostic::Edit,
    source::{Source, Span},
};
use nnz_check::{
    scope::{Scope, Word},
    session::typed_spec,
};
use nnz_stages::{
    encoding::encoding,
    iterators::{IMPORT, description},
};
use nnz_tir::{Script, read::Thing};

use super::names::mention;
use crate::refactor::{RefactorKind, Refactoring};

/// How an encoding begins.
const HEAD: &str = "#sparse_tensor.encoding<";

/// What can be written at the start of `range`.
pub fn refactorings(script: &Script, range: Range<usize>) -> Vec<Refactoring> {
    let of_buffer = encoding_of_buffer(script, range.start);
    of_buffer.into_iter().chain(description_of_comment(script, range.start)).collect()
}

/// `# A: #sparse_tensor.encoding<...>` above the declaration of `A`.
fn encoding_of_buffer(script: &Script, offset: usize) -> Option<Refactoring> {
    let (read, mention) = mention(script, offset)?;
    let Thing::Buffer(id) = mention.thing else { return None };
    let buffer = read.function.buffer(id);
    let encoding = encoding(&read.function, buffer.iterators()).ok().filter(|_| !buffer.iterators().is_empty())?;
    let (start, line) = line_at(&script.source, buffer.place.0.start as usize);
    let blanks = &line[..line.len() - line.trim_start().len()];
    let comment = format!("{blanks}# {}: {encoding}\n", buffer.name);
    let title = format!("write the encoding of `{}` as a comment", buffer.name);
    Some(inserted(script, title, start, comment))
}

/// A function behind `# #sparse_tensor.encoding<...>`.
fn description_of_comment(script: &Script, offset: usize) -> Option<Refactoring> {
    let (start, line) = line_at(&script.source, offset);
    let at = line.find(HEAD).filter(|_| line.starts_with('#'))?;
    let word = Word { text: line[at..].trim_end().to_string(), span: Span::new(0, line[at..].trim_end().len()) };
    let name = line[..at].trim_matches(|c: char| !c.is_alphanumeric());
    let alone = Source::new(script.source.id, "comment", word.text.as_str());
    let (spec, _) = typed_spec((&alone, &Scope::default()), &word).ok()?;
    let format = spec.known_format(spec.rank()?)?;
    let text = description(format.encoding()?, None, name).ok()?;
    let known = script.source.text.contains(IMPORT.trim_end());
    let text = if known { text.replacen(IMPORT, "", 1).trim_start().to_string() } else { text };
    let title = "write a format description of this encoding".to_string();
    let end = (start + line.len() + 1).min(script.source.text.len());
    let gap = if end == start + line.len() { "\n" } else { "" };
    Some(inserted(script, title, end, format!("{gap}{text}\n\n")))
}

/// Where the line of an offset begins, and the line.
fn line_at(source: &Source, offset: usize) -> (usize, &str) {
    let before = source.text.get(..offset).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (start, source.text.get(start..).unwrap_or_default().lines().next().unwrap_or_default())
}

fn inserted(script: &Script, title: String, at: usize, text: String) -> Refactoring {
    let edit = Edit { file: script.source.id, span: Span::at(at), replacement: text };
    Refactoring { title, kind: RefactorKind::Rewrite, edits: vec![edit] }
}
