//! The encoding at a place as another well-known format.

use nnz_check::{Checked, DefinitionKind, Grammar};
use nnz_encoding::{
    Encoding, EncodingParts,
    named::{self, FormatName},
};
use nnz_syntax::{NodeKind, NodeRef, TokenRef};

use super::{Refactoring, Written, rewrite};

/// Those that are offered, with usual numbers.
const OFFERED: &[(&str, &[u64])] = &[
    ("CSR", &[]),
    ("CSC", &[]),
    ("DCSR", &[]),
    ("DCSC", &[]),
    ("COO", &[]),
    ("BSR", &[2, 2]),
    ("CSF", &[]),
    ("ELL", &[]),
    ("JDS", &[]),
    ("DIA", &[]),
    ("NM", &[2, 4]),
    ("SparseVector", &[]),
    ("BatchedCSR", &[]),
    ("dense", &[]),
];

/// One that is written out gets the map of the other; its keys stay.
pub(super) fn of_written(checked: &Checked, written: &Written<'_>) -> Vec<Refactoring> {
    let Written { encoding, map, .. } = written;
    if encoding.is_slice() {
        return Vec::new();
    }
    let mut seen = vec![encoding.map_text()];
    let other = |(format, numbers): (FormatName, &[u64])| {
        let text = like(encoding, &other(checked, encoding.dim_rank(), format, numbers)?)?;
        if seen.contains(&text) {
            return None;
        }
        seen.push(text.clone());
        Some(rewrite(checked, title(format, numbers), vec![(map.span(), text)]))
    };
    offered().filter_map(other).collect()
}

/// `CSR` in a type of the notation.
pub(super) fn of_name(checked: &Checked, token: TokenRef<'_>) -> Vec<Refactoring> {
    let Some(node) = token.node().ancestors().find(|node| node.kind() == NodeKind::FormatName) else {
        return Vec::new();
    };
    let site = checked.encoding_at(node.span().start as usize).filter(|site| site.span == node.span());
    let written = site.and_then(|site| site.encoding.as_deref());
    let Some(encoding) = written.or_else(|| of_definition(checked, node)) else { return Vec::new() };
    let mut seen = vec![encoding.clone()];
    let other = |(format, numbers): (FormatName, &[u64])| {
        let other = other(checked, encoding.dim_rank(), format, numbers)?;
        if seen.contains(&other) {
            return None;
        }
        seen.push(other);
        Some(rewrite(checked, title(format, numbers), vec![(node.span(), spelt(format, numbers))]))
    };
    offered().filter_map(other).collect()
}

/// The encoding of the tensor that the statement around a type defines.
fn of_definition<'c>(checked: &'c Checked, format: NodeRef<'_>) -> Option<&'c Encoding> {
    let statement = format.ancestors().find(|node| node.kind() == NodeKind::Definition)?;
    let id = checked.definition_at(statement.first_token()?.span().start as usize)?;
    let DefinitionKind::Tensor(Some(ty)) = &checked.symbols.definition(id).kind else { return None };
    ty.format.as_ref()?.encoding().map(|encoding| &**encoding)
}

fn offered() -> impl Iterator<Item = (FormatName, &'static [u64])> {
    OFFERED.iter().filter_map(|(name, numbers)| Some((named::format_called(name).ok()?, *numbers)))
}

fn other(checked: &Checked, rank: usize, format: FormatName, numbers: &[u64]) -> Option<Encoding> {
    let encoding = named::lookup(format.name, numbers, Some(rank)).ok()?;
    let known = checked.grammar == Grammar::Notation || encoding.beyond_mlir().is_none();
    (known && encoding.dim_rank() == rank).then_some(encoding)
}

/// The map of `other` over the dimensions as `encoding` names them.
fn like(encoding: &Encoding, other: &Encoding) -> Option<String> {
    let (symbols, levels) = (other.symbols().to_vec(), other.levels().to_vec());
    let parts = EncodingParts { symbols, dims: encoding.dims().to_vec(), levels, ..Default::default() };
    Some(Encoding::new(parts).ok()?.map_text())
}

fn spelt(format: FormatName, numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    if numbers.is_empty() { format.name.to_string() } else { format!("{}({})", format.name, numbers.join(", ")) }
}

fn title(format: FormatName, numbers: &[u64]) -> String {
    format!("store as {}: {}", spelt(format, numbers), format.meaning)
}
