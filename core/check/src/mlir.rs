//! Whole MLIR files: aliases in the order of the text, then every type and encoding; SSA values, symbols and
//! blocks for editors (`names`).

use super::{
    AffineMapSite, Checked, Checker, DefinitionKind, Grammar,
    checker::Alias,
    encoding::{
        encoding_of,
        map::{AffineMapParts, Holder, read_affine_map},
        reference_to,
        slice::read_slice,
    },
    sections::Sections,
    types::tensor_type_of,
};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit, did_you_mean},
    source::{Source, Span},
};
use nnz_encoding::AffineMap;
use nnz_syntax::{NodeKind, NodeRef, Tree, mlir::parse_mlir};

mod edited;
mod names;
mod operations;

pub use super::sections::splits;
pub use edited::check_edited;
pub use operations::{form_today, is_historic, renamed};

pub fn check_mlir(source: &Source) -> Checked {
    let tree = parse_mlir(source.text.clone());
    let mut checker = Checker::new(source, Grammar::Mlir);
    let mut sections = Sections::of(&tree);
    checker.expect_aliases(&tree);
    for node in tree.root().children() {
        if sections.passes(node.span().start) {
            checker.end_section();
        }
        checker.item(node);
    }
    checker.end_section();
    names::record(&tree, &mut checker);
    checker.finish(tree)
}

impl Checker<'_> {
    fn expect_aliases(&mut self, tree: &Tree) {
        for alias in tree.root().children_of(NodeKind::AttrAlias) {
            if let Some(name) = alias.first_token() {
                self.later_aliases.entry(name.text().to_string()).or_insert(name.span());
            }
        }
    }

    /// Forgets the aliases, after a hint at each one that nothing used.
    fn end_section(&mut self) {
        self.resolve_locations();
        let mut aliases: Vec<Alias> = self.aliases.drain().map(|(_, alias)| alias).collect();
        self.slices.clear();
        let used = self.symbols.uses.iter().filter_map(|u| u.definition).chain(self.meant.iter().copied());
        let used: std::collections::HashSet<_> = used.collect();
        aliases.retain(|alias| matches!(alias, Alias::Local(id) if !used.contains(id)));
        for alias in aliases {
            if let Alias::Local(id) = alias {
                self.hint_unused(id);
            }
        }
    }

    /// `loc(#name)`, whose name may be defined below, or a location that is written out.
    fn location(&mut self, node: NodeRef<'_>) {
        for alias in node.descendants().filter(|inner| inner.kind() == NodeKind::AliasRef) {
            let is_whole = alias.parent().and_then(NodeRef::parent).is_some_and(|outer| outer.id() == node.id());
            if is_whole {
                self.locations.push(alias.span());
            } else {
                reference_to(alias, self);
            }
        }
    }

    fn resolve_locations(&mut self) {
        for span in std::mem::take(&mut self.locations) {
            let name = self.text(span);
            let known = match self.alias(name) {
                Some(Alias::Local(id)) => Some(id),
                _ => None,
            };
            self.record_use(span, known);
            if known.is_none() {
                self.unknown_location(name, span);
            }
        }
    }

    fn unknown_location(&mut self, name: &str, span: Span) {
        let nearest = did_you_mean(name, self.alias_names()).map(str::to_string);
        let mut diagnostic =
            self.diagnostic(Code::UnknownAlias, span, format!("`{name}` is not defined")).label("no such alias");
        diagnostic = match nearest {
            Some(nearest) => diagnostic.guess(span, nearest),
            None => diagnostic.help(format!("define it anywhere in the file: `{name} = loc(\"file.mlir\":1:1)`")),
        };
        self.report(diagnostic);
    }

    fn hint_unused(&mut self, id: super::DefId) {
        let definition = self.symbols.definition(id);
        // Traits and maps are used by operations that are only passed over; what is broken is to be mended, not removed.
        if matches!(
            definition.kind,
            DefinitionKind::Attribute | DefinitionKind::Encoding(None) | DefinitionKind::Type(None)
        ) {
            return;
        }
        let (name, whole) = (definition.name, definition.whole);
        let inside = |found: &Diagnostic| found.is_error() && whole.cover(found.primary.span) == whole;
        if self.diagnostics.iter().any(inside) {
            return;
        }
        let message = format!("`{}` is never used", self.text(name));
        let diagnostic = self.diagnostic(Code::UnusedAlias, name, message).label("nothing names it");
        let remove = Edit { file: self.source.id, span: whole, replacement: String::new() };
        self.report(diagnostic.fix_edits("remove it", vec![remove], Applicability::MaybeIncorrect));
    }

    pub(super) fn items(&mut self, parent: NodeRef<'_>) {
        for node in parent.children() {
            self.item(node);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
    fn item(&mut self, node: NodeRef<'_>) {
        match node.kind() {
            NodeKind::AttrAlias => self.attr_alias(node),
            NodeKind::TypeAlias => self.type_alias(node),
            NodeKind::TensorType | NodeKind::RfcType => drop(tensor_type_of(node, self)),
            NodeKind::Encoding => drop(encoding_of(node, self)),
            NodeKind::AffineMap => self.affine_map(node),
            NodeKind::Slice => drop(read_slice(node, self)),
            NodeKind::AliasRef => drop(reference_to(node, self)),
            NodeKind::Location => self.location(node),
            _ => self.items(node),
        }
    }

    /// The map of an operation or of an alias.
    fn affine_map(&mut self, node: NodeRef<'_>) {
        let AffineMapParts { dims, symbols, results } = read_affine_map(node, Holder::Program, self);
        let map = results.into_iter().collect::<Option<Vec<_>>>().filter(|_| !node.tree().has_error_in(node.span()));
        let map = map.map(|results| AffineMap { dims: dims.len(), symbols: symbols.len(), results }.into());
        self.record_map(AffineMapSite { span: node.span(), map });
    }

    /// `#name = value`
    pub(crate) fn attr_alias(&mut self, node: NodeRef<'_>) {
        let Some(name) = node.first_token() else { return };
        // One without its `#` is reported.
        let alias = format!("#{}", name.text().trim_start_matches('#'));
        let value = node.children().find(|child| child.kind() != NodeKind::Error);
        let kind = match value.map(|value| (value, value.kind())) {
            Some((value, NodeKind::Encoding | NodeKind::Map | NodeKind::FormatName)) => {
                DefinitionKind::Encoding(encoding_of(value, self))
            }
            Some((value, NodeKind::AliasRef)) => match reference_to(value, self) {
                Some(encoding) => DefinitionKind::Encoding(Some(encoding)),
                None => DefinitionKind::Attribute,
            },
            Some((value, NodeKind::Slice)) => {
                let slice = read_slice(value, self);
                self.slices.extend(slice.map(|slice| (alias.to_string(), slice)));
                DefinitionKind::Attribute
            }
            Some((value, _)) if self.misspells_encoding(value) => DefinitionKind::Encoding(None),
            Some(_) => {
                self.items(node);
                DefinitionKind::Attribute
            }
            None => DefinitionKind::Attribute,
        };
        self.define_alias(&alias, name.span(), node.span(), kind);
    }

    /// `#name`, whose definition cannot be read. Its uses are not reported.
    pub(super) fn broken_alias(&mut self, name: &str, span: Span, whole: Span) {
        if self.alias(name).is_none() {
            let id = self.define(span, whole, DefinitionKind::Encoding(None));
            self.aliases.insert(name.to_string(), Alias::Local(id));
        }
    }

    fn define_alias(&mut self, name: &str, span: Span, whole: Span, kind: DefinitionKind) {
        if let Some(Alias::Local(first)) = self.aliases.get(name) {
            let first = self.symbols.definition(*first).name;
            let diagnostic = self.diagnostic(Code::RedefinedAlias, span, format!("`{name}` is defined twice"));
            self.report(diagnostic.label("the second definition").secondary(first, "first defined here"));
        } else if name.contains('.') {
            let message = "names of aliases have no `.`: such names belong to dialects";
            let diagnostic = self.diagnostic(Code::RedefinedAlias, span, message);
            self.report(diagnostic.label("has a `.`").fix("use `_`", span, name.replace('.', "_")));
        }
        let id = self.define(span, whole, kind);
        self.aliases.insert(name.to_string(), Alias::Local(id));
    }

    /// `!name = type`
    fn type_alias(&mut self, node: NodeRef<'_>) {
        let Some(name) = node.first_token() else { return };
        let tensor = node.children().find(|child| matches!(child.kind(), NodeKind::TensorType | NodeKind::RfcType));
        let tensor = match tensor {
            Some(tensor) => tensor_type_of(tensor, self),
            None => {
                self.items(node);
                None
            }
        };
        self.define(name.span(), node.span(), DefinitionKind::Type(tensor));
    }
}
