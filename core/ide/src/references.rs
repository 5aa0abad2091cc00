//! `textDocument/references` and `documentHighlight`: every place where a name refers to the same thing.

use nnz_base::source::Span;
use nnz_check::Checked;

use super::names::{Access, Place, named_at};

/// The uses of the thing at `offset`, in order, with the names in its definitions on request.
pub fn references(checked: &Checked, offset: usize, with_definition: bool) -> Vec<Span> {
    let wanted = |place: &Place| with_definition || place.access == Access::Read;
    highlights(checked, offset).into_iter().filter(wanted).map(|place| place.span).collect()
}

/// The same, with whether each place reads or writes.
pub fn highlights(checked: &Checked, offset: usize) -> Vec<Place> {
    named_at(checked, offset).map(|named| named.places).unwrap_or_default()
}
