//! Checks a text that differs in one function from an already checked text: only that function is checked, and
//! everything else is reused, shifted to its new place.
//!
//! The results for a function depend on its text and on the aliases. The results elsewhere depend on the function's
//! name, on the aliases that it uses, and on its diagnostics. So its name and its aliases must be the same, and it must
//! have no diagnostics before or after; otherwise the whole text is checked.

mod definitions;

use std::collections::BTreeSet;

use super::names;
use crate::{
    Checked, Checker, DefinitionKind, Grammar, NameUse, Symbols,
    places::{self, within},
    sections::Sections,
};
use definitions::Numbers;
use nnz_base::{
    diagnostic::Diagnostic,
    source::{Source, Span},
};
use nnz_syntax::{Edited, NodeKind, NodeRef, TokenKind, Tree, mlir::edited};

/// The check of a text that replaces an already checked one; `None` if more than one function must be checked.
pub fn check_edited(mut before: Checked, source: &Source) -> Option<Checked> {
    let (tree, edited) = edited(&before.tree, &source.text)?;
    if has_split(&before.source, edited.before) || has_split(source, edited.now) {
        return None;
    }
    let diagnostics = moved_diagnostics(source, std::mem::take(&mut before.diagnostics), edited)?;
    let part = check_function(source, tree, edited.now)?;
    let names_alike = functions_in(&before, edited.before) == functions_in(&part, edited.now);
    let uses_alike =
        aliases_used(&before, edited.before, |span| edited.moved(span)) == aliases_used(&part, edited.now, |span| span);
    let symbols = (names_alike && uses_alike).then(|| merged(before.symbols, &part, edited))??;
    let edited = Some((before.source.text, edited));
    Some(Checked { diagnostics, symbols, edited, ..part })
}

/// Whether a section may end in `span`.
fn has_split(source: &Source, span: Span) -> bool {
    source.slice(span).contains("// -----")
}

/// The diagnostics at their new places; `None` if one has a place in the function.
fn moved_diagnostics(source: &Source, mut all: Vec<Diagnostic>, edited: Edited) -> Option<Vec<Diagnostic>> {
    for (file, span) in all.iter_mut().flat_map(Diagnostic::places_mut) {
        if span.start <= edited.before.end && edited.before.start <= span.end {
            return None;
        }
        (*file, *span) = (source.id, edited.moved(*span));
    }
    Some(all)
}

/// The check of a function and of everything outside functions; `None` if the function has diagnostics.
fn check_function(source: &Source, tree: Tree, place: Span) -> Option<Checked> {
    let mut c = Checker::new(source, Grammar::Mlir);
    let mut sections = Sections::of(&tree);
    c.expect_aliases(&tree);
    let (mut wanted, mut last) = (None, 0);
    for node in tree.root().children() {
        if sections.passes(node.span().start) {
            c.end_section();
        }
        if node.kind() != NodeKind::Function {
            c.item(node);
        } else if node.span() == place {
            c.item(node);
            wanted = Some(node).filter(|node| stands_alone(&tree, *node, last));
        } else if wanted.is_none() {
            last = node.span().end;
        }
    }
    c.end_section();
    names::record_in(&tree, wanted?, &mut c);
    let told = c.diagnostics.iter().map(|one| one.primary.span);
    let is_clean = { told }.all(|span| span.end < place.start || place.end < span.start);
    is_clean.then(|| c.finish(tree))
}

/// Whether there are no values or blocks between a function and the end of the last one, and no locations, whose names
/// may be defined below, in it.
fn stands_alone(tree: &Tree, function: NodeRef<'_>, last: u32) -> bool {
    let between = last as usize..function.span().start as usize;
    let named = |kind: TokenKind| matches!(kind, TokenKind::PercentId | TokenKind::CaretId);
    let has_location = function.descendants().any(|node| node.kind() == NodeKind::Location);
    !has_location && !tree.tokens_in(between).any(|(_, token)| named(token.kind()) || token.text() == "case")
}

/// The names of the functions that are defined in `span`.
fn functions_in(checked: &Checked, span: Span) -> Vec<&str> {
    let all = checked.symbols.definitions.iter().filter(|one| matches!(one.kind, DefinitionKind::Function));
    all.filter(|one| within(one.name, span)).map(|one| checked.source.slice(one.name)).collect()
}

/// Where the aliases are defined that `span` uses.
fn aliases_used(checked: &Checked, span: Span, moved: impl Fn(Span) -> Span) -> BTreeSet<Span> {
    let ids = uses_in(&checked.symbols, span).filter_map(|used| used.definition);
    let used = ids.map(|id| checked.symbols.definition(id));
    let used = used.filter(|one| !matches!(one.kind, DefinitionKind::Function) && !within(one.name, span));
    used.map(|one| moved(one.name)).collect()
}

fn uses_in(symbols: &Symbols, span: Span) -> impl Iterator<Item = &NameUse> {
    places::range(&symbols.uses, span).1.iter()
}

/// The symbols of the function, and all others.
fn merged(old: Symbols, part: &Checked, edited: Edited) -> Option<Symbols> {
    let numbers = Numbers::of(old.definitions, part, edited)?;
    let new = &part.symbols;
    Some(Symbols {
        uses: numbers.uses(old.uses, part, edited)?,
        types: places::merged(old.types, &new.types, edited),
        encodings: places::merged(old.encodings, &new.encodings, edited),
        maps: places::merged(old.maps, &new.maps, edited),
        definitions: numbers.definitions,
    })
}
