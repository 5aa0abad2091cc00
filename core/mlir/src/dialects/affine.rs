//! `affine`: sums of indices by a map.

use crate::{
    attribute::Attribute,
    constraints::{INDEX_VALUE, takes},
    draft::Draft,
    inherent::{Inherent, Kind, needs},
    mistake::{Mistake, Read},
    read::{Entry, Reader},
    types::Type,
};
use nnz_base::diagnostic::counted;
use nnz_encoding::AffineMap;
use nnz_syntax::TokenKind;

const MAP: &[Inherent] = &[needs("map", Kind::Map)];

pub(super) static OPS: &[Entry] = &[
    Entry::host("affine.apply", takes(&[INDEX_VALUE.many()]).gives(&[INDEX_VALUE]), map_syntax)
        .having(MAP)
        .verified(one_result),
    Entry::host("affine.min", takes(&[INDEX_VALUE.many()]).gives(&[INDEX_VALUE]), map_syntax)
        .having(MAP)
        .verified(some_results),
    Entry::host("affine.max", takes(&[INDEX_VALUE.many()]).gives(&[INDEX_VALUE]), map_syntax)
        .having(MAP)
        .verified(some_results),
];

/// `#map(%i, %j)[%s]`
fn map_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let map = r.attribute()?;
    draft.attributes.set_at("map", map, span);
    let mut names = r.parenthesized(Reader::value_use)?;
    if r.at(TokenKind::LBracket) {
        names.extend(r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::value_use)?);
    }
    draft.attributes.append(r.optional_dictionary()?);
    draft.operands = r.resolve_all(&names, &vec![Type::INDEX; names.len()])?;
    draft.results = vec![Type::INDEX];
    Ok(())
}

/// A map of as many dimensions and symbols as there are operands.
fn map_of(draft: &Draft) -> Result<&AffineMap, Mistake> {
    let Some(map) = draft.attribute("map").and_then(Attribute::as_map) else {
        return Err(draft.wrong("map", "an affine map is wanted here, as in `affine_map<(i)[s] -> (i + s)>`"));
    };
    let wanted = map.dims + map.symbols;
    if wanted != draft.operands.len() {
        let message = format!("the map takes {}, not {}", counted(wanted, "index"), draft.operands.len());
        return Err(draft.wrong("map", message));
    }
    Ok(map)
}

fn one_result(draft: &Draft) -> Result<(), Mistake> {
    match map_of(draft)?.results.len() {
        1 => Ok(()),
        results => Err(draft.wrong("map", format!("a map with one result is applied, and this has {results}"))),
    }
}

fn some_results(draft: &Draft) -> Result<(), Mistake> {
    match map_of(draft)?.results.len() {
        0 => Err(draft.wrong("map", "the map has no results")),
        _ => Ok(()),
    }
}
