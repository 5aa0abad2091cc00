//! `refactor` of `textDocument/codeAction`: other ways to write what is at a place, which do the same, or store the
//! same tensor differently. There is a file for each kind.

mod alias;
mod convert;
mod format;
mod inverse;
mod iterators;
mod steps;
mod widths;

use std::ops::Range;

use nnz_base::{
    diagnostic::{Code, Edit},
    source::Span,
};
use nnz_check::Checked;
use nnz_encoding::Encoding;
use nnz_syntax::{NodeKind, NodeRef, TokenRef};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefactorKind {
    Rewrite,
    Inline,
    Extract,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refactoring {
    /// Distinguishes it from the others at its place.
    pub title: String,
    pub kind: RefactorKind,
    pub edits: Vec<Edit>,
}

/// The refactorings that mend what a diagnostic of this code, at a place, reports.
pub fn mending(checked: &Checked, code: Code, place: Span) -> Vec<Refactoring> {
    let token = token_at(checked, place.start as usize).filter(|_| code == Code::HiddenConversion);
    token.map(|token| convert::refactorings(checked, token)).unwrap_or_default()
}

/// What can be rewritten at the start of `range`. Kernels are planned for it only as long as `may_plan` says so.
pub fn refactorings(checked: &Checked, range: Range<usize>, may_plan: &dyn Fn() -> bool) -> Vec<Refactoring> {
    let Some(token) = token_at(checked, range.start) else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(written) = written_at(checked, token) {
        found.extend(format::of_written(checked, &written));
        // A bare map has no keys.
        if written.node.kind() == NodeKind::Encoding {
            found.extend(inverse::refactorings(checked, &written));
            found.extend(widths::refactorings(checked, &written));
            found.extend(iterators::refactorings(checked, &written));
        }
        found.extend(alias::extract(checked, &written));
    }
    found.extend(format::of_name(checked, token));
    found.extend(alias::inline(checked, token));
    if may_plan() {
        found.extend(convert::refactorings(checked, token));
        found.extend(steps::refactorings(checked, token, may_plan));
    }
    found
}

/// The token that begins at a place, holds it, or ends there.
fn token_at(checked: &Checked, offset: usize) -> Option<TokenRef<'_>> {
    let speaks = |token: &TokenRef<'_>| !token.kind().is_trivia();
    let before = || offset.checked_sub(1).and_then(|at| checked.tree.token_at(at)).filter(speaks);
    checked.tree.token_at(offset).filter(speaks).or_else(before)
}

/// An encoding that is written out, and understood. The node of one that is a bare map is the map.
struct Written<'c> {
    node: NodeRef<'c>,
    map: NodeRef<'c>,
    encoding: &'c Encoding,
}

fn written_at<'c>(checked: &'c Checked, token: TokenRef<'c>) -> Option<Written<'c>> {
    let around = |kind: NodeKind| token.node().ancestors().find(|node| node.kind() == kind);
    let defined = |kind: NodeKind| token.node().child(kind).filter(|_| is_name(token));
    let found = |kind: NodeKind| around(kind).or_else(|| defined(kind));
    let node = found(NodeKind::Encoding).or_else(|| found(NodeKind::Map))?;
    let site = checked.encoding_starting_at(node.span().start).filter(|site| site.span == node.span())?;
    let map = node.descendants().chain([node]).find(|node| node.kind() == NodeKind::Map)?;
    Some(Written { node, map, encoding: site.encoding.as_deref()? })
}

/// The name that a definition gives.
fn is_name(token: TokenRef<'_>) -> bool {
    let node = token.node();
    node.kind() == NodeKind::AttrAlias && node.first_token().is_some_and(|first| first.span() == token.span())
}

fn rewrite(checked: &Checked, title: String, edits: Vec<(Span, String)>) -> Refactoring {
    made(checked, title, RefactorKind::Rewrite, edits)
}

fn made(checked: &Checked, title: String, kind: RefactorKind, edits: Vec<(Span, String)>) -> Refactoring {
    let edit = |(span, replacement)| Edit { file: checked.source.id, span, replacement };
    let mut edits: Vec<Edit> = edits.into_iter().map(edit).collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    Refactoring { title, kind, edits }
}

/// Where the line of a place begins.
fn line_start(checked: &Checked, offset: u32) -> usize {
    let before = checked.source.text.get(..offset as usize).unwrap_or_default();
    before.rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// The blanks at the beginning of a line.
fn indentation(checked: &Checked, line_start: usize) -> &str {
    let line = checked.source.text.get(line_start..).unwrap_or_default();
    line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
}
