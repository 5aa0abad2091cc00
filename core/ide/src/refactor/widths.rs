//! Widths of positions and coordinates that are no larger than the tensors of the text need.

use nnz_base::{arrays::Width, element::Element, source::Span};
use nnz_check::{Checked, DefinitionKind, Grammar};
use nnz_encoding::Encoding;
use nnz_storage::model;
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

use super::{Refactoring, Written, rewrite};

/// Operations whose types name the widths.
const NAME_WIDTHS: &[&str] = &["positions", "coordinates", "assemble", "disassemble", "reinterpret_map"];

pub(super) fn refactorings(checked: &Checked, written: &Written<'_>) -> Option<Refactoring> {
    let encoding = written.encoding;
    if checked.grammar == Grammar::Mlir && names_widths(checked) {
        return None;
    }
    let (positions, coordinates) = needed(checked, encoding)?;
    let narrower = |needed: u32, has: Width| (needed < has.bits()).then_some(needed);
    let keys = [
        ("posWidth", narrower(positions, encoding.pos_width())),
        ("crdWidth", narrower(coordinates, encoding.crd_width())),
    ];
    let keys: Vec<(&str, u32)> = keys.into_iter().filter_map(|(key, bits)| Some((key, bits?))).collect();
    let words: Vec<String> = keys.iter().map(|(key, bits)| format!("{key} = {bits}")).collect();
    let nodes = everywhere(checked, written);
    let edits = nodes.flat_map(|node| keys.iter().map(move |(key, bits)| set(node, key, *bits)));
    let edits = edits.collect::<Option<Vec<_>>>()?;
    let title = format!("narrow to {}: enough for every tensor of the text", words.join(", "));
    (!edits.is_empty()).then(|| rewrite(checked, title, edits))
}

fn names_widths(checked: &Checked) -> bool {
    NAME_WIDTHS.iter().any(|word| checked.source.text.contains(&format!("sparse_tensor.{word}")))
        || checked.source.text.contains("storage_specifier")
}

/// This place, and in MLIR every other one that writes the same encoding: its types must stay equal.
fn everywhere<'c>(checked: &'c Checked, written: &Written<'c>) -> impl Iterator<Item = NodeRef<'c>> {
    let (here, encoding) = (written.node, written.encoding);
    let sites =
        checked.symbols.encodings.iter().filter(|site| checked.grammar == Grammar::Mlir && !site.dims.is_empty());
    let same = sites.filter(move |site| site.encoding.as_deref() == Some(encoding) && site.span != here.span());
    let nodes = same.filter_map(|site| {
        let token = checked.tree.token_at(site.span.start as usize)?;
        token.node().ancestors().find(|node| node.kind() == NodeKind::Encoding && node.span() == site.span)
    });
    std::iter::once(here).chain(nodes)
}

/// The bits that positions and coordinates need; `None` if a tensor's sizes are unknown, or there is no tensor.
fn needed(checked: &Checked, encoding: &Encoding) -> Option<(u32, u32)> {
    let mut needed: Option<(u32, u32)> = None;
    for (shape, element) in users(checked, encoding) {
        let model = model::of_encoding(encoding, element, &shape);
        let sizes: Option<Vec<u128>> = model.levels.iter().map(|level| level.size.value()).collect();
        let sizes = sizes?;
        let places = sizes.iter().try_fold(1u128, |places, size| places.checked_mul(*size))?;
        let (positions, coordinates) = (bits(places), bits(sizes.iter().copied().max()?));
        let (known_positions, known_coordinates) = needed.unwrap_or((8, 8));
        needed = Some((positions.max(known_positions), coordinates.max(known_coordinates)));
    }
    needed
}

/// The sizes and elements of the tensors that are stored so.
fn users<'c>(
    checked: &'c Checked,
    encoding: &'c Encoding,
) -> impl Iterator<Item = (Vec<Option<u64>>, Option<Element>)> + 'c {
    let types = checked.symbols.types.iter().filter_map(|site| site.tensor.as_ref());
    let types = types.filter(|ty| ty.encoding.as_deref() == Some(encoding));
    let types = types.map(|ty| (ty.shape.clone(), Some(ty.element)));
    let tensors = checked.symbols.definitions.iter().filter_map(move |definition| {
        let DefinitionKind::Tensor(Some(ty)) = &definition.kind else { return None };
        let stored = ty.format.as_ref()?.encoding()?;
        let sizes = || ty.shape.clone().unwrap_or_else(|| vec![None; encoding.dim_rank()]);
        (**stored == *encoding).then(|| (sizes(), ty.element))
    });
    types.chain(tensors)
}

fn bits(most: u128) -> u32 {
    [8, 16, 32].into_iter().find(|bits| most < 1 << bits).unwrap_or(64)
}

/// The edit that sets a key of the body, or adds it behind the last.
fn set(node: NodeRef<'_>, key: &str, bits: u32) -> Option<(Span, String)> {
    let mut entries = node.descendants().filter(|node| node.kind() == NodeKind::Entry);
    let named = |entry: &NodeRef<'_>| entry.first_token().is_some_and(|token| token.text() == key);
    if let Some(entry) = entries.find(named) {
        let value = entry.tokens().find(|token| token.kind() == TokenKind::Int)?;
        return Some((value.span(), bits.to_string()));
    }
    let last = node.descendants().filter(|node| node.kind() == NodeKind::Entry).last()?;
    Some((Span::at(last.span().end as usize), format!(", {key} = {bits}")))
}
