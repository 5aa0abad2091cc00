//! `textDocument/definition`: where a name is introduced.

use crate::{check::Checked, source::Span};

/// The name in the definition of what stands at `offset`.
pub fn definition(checked: &Checked, offset: usize) -> Option<Span> {
    let id = checked.definition_at(offset)?;
    Some(checked.symbols.definition(id).name)
}
