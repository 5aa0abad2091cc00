//! The shape, the entries and the bytes of tensors that generators make or that are read.

use std::ops::Range;

use nnz_check::{Checked, Contents, Definition, DefinitionKind};
use nnz_storage::{
    generate::Count,
    model::{self, Sure},
};
use nnz_syntax::{NodeKind, NodeRef};
use nnz_view::number::{self, grouped};

use super::{HintKind, InlayHint, starting_in};

pub(super) fn hints(checked: &Checked, range: &Range<usize>) -> Vec<InlayHint> {
    let known =
        starting_in(&checked.contents, range, |contents| checked.symbols.definition(contents.definition).name.start);
    let made = known.iter().filter(|contents| contents.literal.is_none());
    made.filter_map(|contents| hint(checked, checked.symbols.definition(contents.definition), contents)).collect()
}

fn hint(checked: &Checked, definition: &Definition, contents: &Contents) -> Option<InlayHint> {
    let DefinitionKind::Tensor(Some(declared)) = &definition.kind else { return None };
    let (entries, ty) = (contents.entries, contents.read.as_deref().unwrap_or(declared));
    let statement = checked.tree.token_at(definition.name.start as usize)?.node();
    let statement = statement.ancestors().find(|node| node.kind() == NodeKind::Definition)?;
    let source = |node: &NodeRef<'_>| matches!(node.kind(), NodeKind::Call | NodeKind::Read);
    statement.descendants().find(source)?;
    let sizes = ty.sizes()?;
    let shape: Vec<String> = sizes.iter().map(u64::to_string).collect();
    let (limit, most) = match entries {
        Count::Exactly(count) => ("", count),
        Count::AtMost(count) => ("at most ", count),
    };
    let bytes = bytes(ty, &sizes, entries).map_or(String::new(), |bytes| format!(", {bytes}"));
    Some(InlayHint {
        offset: statement.span().end,
        text: format!("{}, {limit}{} entries{bytes}", shape.join(" x "), grouped(most)),
        kind: HintKind::Sizes,
        tooltip: format!("What `{}` holds, and what its arrays take.", checked.source.slice(definition.name)),
    })
}

fn bytes(ty: &nnz_check::scope::PartialType, sizes: &[u64], entries: Count) -> Option<String> {
    let sizes: Vec<Option<u64>> = sizes.iter().copied().map(Some).collect();
    let encoding = ty.format.as_ref()?.encoding()?;
    let estimate = model::of_encoding(encoding, ty.element, &sizes).bytes_with(entries.most())?;
    let sure = if matches!(entries, Count::AtMost(_)) { Sure::AtMost } else { estimate.sure };
    let bytes = u64::try_from(estimate.bytes).ok()?;
    Some(format!("{}{}", sure.word(), number::bytes(bytes)))
}
