//! Encodings: from the text to an [`Encoding`], each broken rule at its guilty token.

use std::sync::Arc;

use super::{Alias, Checker, DefinitionKind, EncodingSite};
use crate::{
    encoding::Encoding,
    syntax::{NodeKind, NodeRef},
};

/// The encoding that a node stands for: `Encoding`, `Map`, `AliasRef` or `FormatName`; `None` for anything
/// else, and where it is broken, which is then reported.
pub fn encoding_of(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Arc<Encoding>> {
    let encoding = match node.kind() {
        NodeKind::AliasRef => reference_to(node, c),
        _ => None,
    };
    c.record_encoding(EncodingSite { span: node.span(), encoding: encoding.clone(), dims: vec![], levels: vec![] });
    encoding
}

/// Resolves `#name` and records the use.
pub(super) fn reference_to(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<Arc<Encoding>> {
    match c.aliases.get(node.text()).cloned() {
        Some(Alias::Imported(encoding)) => Some(encoding),
        Some(Alias::Local(id)) => {
            c.record_use(node.span(), Some(id));
            match &c.symbols.definition(id).kind {
                DefinitionKind::Encoding(encoding) => encoding.clone(),
                _ => None,
            }
        }
        None => {
            c.record_use(node.span(), None);
            None
        }
    }
}
