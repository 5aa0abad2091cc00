//! `textDocument/references` and `documentHighlight`: every place that names the same thing.

use nnz_base::source::Span;
use nnz_check::Checked;

/// The uses of the thing at `offset`, in order, with the name in the definition on request.
pub fn references(checked: &Checked, offset: usize, with_definition: bool) -> Vec<Span> {
    let Some(id) = checked.definition_at(offset) else { return Vec::new() };
    let own = with_definition.then(|| checked.symbols.definition(id).name);
    let mut spans: Vec<Span> = checked.symbols.uses_of(id).chain(own).collect();
    spans.sort();
    spans.dedup();
    spans
}
