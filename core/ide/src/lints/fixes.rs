//! Fixes of types and of the encodings that they name.

use std::sync::Arc;

use nnz_base::{
    diagnostic::{Applicability, Diagnostic, Edit},
    ids::Dim,
    source::Span,
};
use nnz_check::{Checked, DefinitionKind, types::TypeSite};
use nnz_encoding::Encoding;
use nnz_syntax::{TokenKind, TokenRef};

use super::encoded;

/// The text that defines the encoding of a type: that of its alias, else the type itself.
pub(super) fn definition_of(checked: &Checked, site: &TypeSite) -> Option<Span> {
    let (encoding, _) = encoded(site)?;
    let is_it = |kind: &DefinitionKind| matches!(kind, DefinitionKind::Encoding(Some(it)) if Arc::ptr_eq(it, encoding));
    let alias = checked.symbols.definitions.iter().find(|definition| is_it(&definition.kind));
    Some(alias.map_or(site.span, |alias| alias.whole))
}

/// Two ways out for a dimension that its blocks do not divide: other blocks, or another size.
pub(super) fn of_blocks(
    found: Diagnostic,
    checked: &Checked,
    site: &TypeSite,
    (dim, size, block): (Dim, u64, u64),
) -> Diagnostic {
    let edit = |(span, number): (Span, u64)| Edit { file: checked.source.id, span, replacement: number.to_string() };
    let mut found = found;
    if let Some((divisor, places)) = other_blocks(checked, site, (dim, size, block)) {
        let edits = places.into_iter().map(|place| edit((place, divisor))).collect();
        found = found.fix_edits(format!("blocks of {divisor}"), edits, Applicability::MaybeIncorrect);
    }
    let whole = size.next_multiple_of(block);
    match place_of_size(checked, site, dim) {
        Some(place) => {
            let title = format!("a size of {whole}");
            found.fix_edits(title, vec![edit((place, whole))], Applicability::MaybeIncorrect)
        }
        None => found,
    }
}

/// The largest smaller block that divides the size, and where its number stands.
fn other_blocks(checked: &Checked, site: &TypeSite, (dim, size, block): (Dim, u64, u64)) -> Option<(u64, Vec<Span>)> {
    let (encoding, _) = encoded(site)?;
    if encoding.levels().iter().any(|level| level.format.block().is_some()) {
        return None;
    }
    let divisor = (2..block).rev().find(|by| size % by == 0)?;
    let name = &encoding.dims().get(dim.index())?.name;
    let places = numbers_of(checked, definition_of(checked, site)?, (name, block));
    // One of the block, one of the place in it.
    (places.len() == levels_of(encoding, dim)).then_some((divisor, places))
}

fn levels_of(encoding: &Encoding, dim: Dim) -> usize {
    encoding.levels().iter().filter(|level| level.expr.vars().contains(&dim)).count()
}

/// The numbers of `i floordiv 2` and `i mod 2`.
fn numbers_of(checked: &Checked, whole: Span, (name, block): (&str, u64)) -> Vec<Span> {
    let tokens = checked.tree.tokens_in(whole.range()).map(|(_, token)| token);
    let divides = |number: &TokenRef<'_>| {
        let operator = number.previous().filter(|operator| matches!(operator.text(), "floordiv" | "mod"));
        let divided = operator.and_then(TokenRef::previous);
        number.kind() == TokenKind::Int
            && number.text().parse() == Ok(block)
            && divided.is_some_and(|divided| divided.text() == name)
    };
    tokens.filter(divides).map(TokenRef::span).collect()
}

/// The place of a dimension's size in `7x8xf64`.
fn place_of_size(checked: &Checked, site: &TypeSite, dim: Dim) -> Option<Span> {
    let text = checked.source.slice(site.shape);
    let before: usize = text.split('x').take(dim.index()).map(|size| size.len() + 1).sum();
    let size = text.get(before..)?.split('x').next()?;
    let start = site.shape.start as usize + before + size.len() - size.trim_start().len();
    Some(Span::new(start, start + size.trim().len()))
}
