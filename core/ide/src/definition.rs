//! `textDocument/definition`: where a name is introduced.

use nnz_base::source::Span;
use nnz_check::Checked;

use super::names::{Access, name_token, named_at};

/// The name in the definition of the thing at `offset`; for a value that changes, in its last definition.
pub fn definition(checked: &Checked, offset: usize) -> Option<Span> {
    if let Some(id) = checked.definition_at(offset) {
        return Some(checked.symbols.definition(id).name);
    }
    let places = named_at(checked, offset).filter(|named| !named.imported)?.places;
    places.iter().find(|place| place.access == Access::Write).or(places.first()).map(|place| place.span)
}

/// The definition, in a file in use, of the thing at `offset`: of a name that the file defines, or, for its path,
/// its beginning.
pub fn definition_elsewhere(checked: &Checked, offset: usize) -> Option<(&Checked, Span)> {
    if let Some(used) = checked.used.iter().find(|used| used.path.touches(offset)) {
        return Some((&used.file, Span::at(0)));
    }
    let word = name_token(checked, offset)?;
    checked.used.iter().rev().find_map(|used| Some((&*used.file, definition_named(&used.file, word.text())?)))
}

/// Where a file defines an alias or a function of this name, sigil included.
pub(super) fn definition_named(file: &Checked, name: &str) -> Option<Span> {
    if !name.starts_with(['#', '@', '!']) {
        return None;
    }
    let mut names = file.symbols.definitions.iter().map(|definition| definition.name).rev();
    names.find(|span| file.source.slice(*span) == name)
}
