//! Whole MLIR files: aliases in the order of the text, then every type and encoding; SSA values, symbols and
//! blocks for editors.

use super::{
    Alias, Checked, Checker, DefinitionKind,
    encoding::{encoding_of, reference_to},
    types::tensor_type_of,
};
use crate::{
    source::Source,
    syntax::{NodeKind, NodeRef, mlir::parse_mlir},
};

pub fn check_mlir(source: &Source) -> Checked {
    let tree = parse_mlir(source.text.clone());
    let mut checker = Checker::new(source);
    checker.items(tree.root());
    checker.finish(tree)
}

impl Checker<'_> {
    fn items(&mut self, parent: NodeRef<'_>) {
        for node in parent.children() {
            self.item(node);
        }
    }

    fn item(&mut self, node: NodeRef<'_>) {
        match node.kind() {
            NodeKind::AttrAlias => self.attr_alias(node),
            NodeKind::TensorType => drop(tensor_type_of(node, self)),
            NodeKind::Encoding => drop(encoding_of(node, self)),
            NodeKind::AliasRef => drop(reference_to(node, self)),
            _ => self.items(node),
        }
    }

    /// `#name = value`
    pub fn attr_alias(&mut self, node: NodeRef<'_>) {
        let Some(name) = node.first_token() else { return };
        let value = node.children().find(|child| child.kind() != NodeKind::Error);
        let kind = match value.map(|value| (value, value.kind())) {
            Some((value, NodeKind::Encoding | NodeKind::Map)) => DefinitionKind::Encoding(encoding_of(value, self)),
            Some(_) => {
                self.items(node);
                DefinitionKind::Attribute
            }
            None => DefinitionKind::Attribute,
        };
        let id = self.define(name.span(), node.span(), kind);
        self.aliases.insert(name.text().to_string(), Alias::Local(id));
    }
}
