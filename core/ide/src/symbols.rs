//! `textDocument/documentSymbol`: the definitions of a text, in order.

use super::words;
use nnz_base::source::Span;
use nnz_check::{Checked, Definition, DefinitionKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    Encoding,
    /// An alias of something that is no encoding.
    Alias,
    Function,
    Tensor,
    Scalar,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    /// An encoding's text, a type; may be empty.
    pub detail: String,
    pub kind: SymbolKind,
    /// The whole definition.
    pub span: Span,
    /// Its name.
    pub selection: Span,
}

pub fn symbols(checked: &Checked) -> Vec<Symbol> {
    checked.symbols.definitions.iter().filter_map(|definition| symbol(checked, definition)).collect()
}

/// Values, blocks and the variables of a map are too small for an outline.
fn symbol(checked: &Checked, definition: &Definition) -> Option<Symbol> {
    let (kind, detail) = match &definition.kind {
        DefinitionKind::Encoding(encoding) => (SymbolKind::Encoding, encoding.as_deref().map(words::map_text)),
        DefinitionKind::Attribute => (SymbolKind::Alias, None),
        DefinitionKind::Type(_) => (SymbolKind::Alias, None),
        DefinitionKind::Function => (SymbolKind::Function, None),
        DefinitionKind::Tensor(ty) => (SymbolKind::Tensor, ty.as_ref().map(ToString::to_string)),
        DefinitionKind::Scalar(element) => (SymbolKind::Scalar, element.map(|element| element.to_string())),
        DefinitionKind::Value | DefinitionKind::Block | DefinitionKind::MapVariable(_) => return None,
    };
    Some(Symbol {
        name: checked.source.slice(definition.name).to_string(),
        detail: detail.unwrap_or_default(),
        kind,
        span: definition.whole,
        selection: definition.name,
    })
}
