//! The names that a text can use at a place: those that it defines before the place, and those of earlier cells.

use std::collections::HashSet;

use nnz_check::{
    Checked, DefinitionKind,
    scope::{Meaning, PartialType, Scope},
};
use nnz_encoding::Encoding;

use super::MOST;

pub(super) struct Known<'a> {
    pub(super) checked: &'a Checked,
    pub(super) scope: &'a Scope,
    /// What is typed of the word.
    pub(super) prefix: &'a str,
    /// Where the word begins.
    pub(super) before: u32,
}

impl<'a> Known<'a> {
    /// Those that the text defines before the word, then those of earlier cells and of files in use.
    pub(super) fn encodings(&self) -> impl Iterator<Item = (&'a str, &'a Encoding)> {
        let used = self.checked.used.iter().flat_map(|used| {
            let definitions = used.file.symbols.definitions.iter();
            definitions.map(move |definition| (used.file.source.slice(definition.name), &definition.kind))
        });
        let earlier = self.scope.iter().filter_map(|(name, meaning)| {
            if let Meaning::Encoding(encoding) = meaning { Some((name, &**encoding)) } else { None }
        });
        let own = self.definitions().chain(used).filter_map(|(name, kind)| Some((name, kind.encoding()?)));
        own.chain(earlier).filter(|(name, _)| name.starts_with(self.prefix))
    }

    /// Tensors and scalars, each with its type, the nearest first.
    pub(super) fn values(&self) -> Vec<(&'a str, String)> {
        let earlier = self.scope.iter().filter_map(|(name, meaning)| match meaning {
            Meaning::Tensor(ty) => Some((name, ty.to_string())),
            Meaning::Scalar(element) => Some((name, element.to_string())),
            Meaning::Encoding(_) | Meaning::Broken => None,
        });
        let mut seen = HashSet::new();
        let own = self.definitions().rev().filter(|(name, kind)| is_value(kind) && name.starts_with(self.prefix));
        // The text of a type takes long: those beyond the most are not made.
        let typed =
            own.filter(|(name, _)| seen.insert(*name)).filter_map(|(name, kind)| Some((name, type_text(kind)?)));
        typed.chain(earlier).take(MOST).collect()
    }

    /// Those of `names` that begin with the word and that tensors and scalars have.
    pub(super) fn taken<'n>(&self, names: impl Iterator<Item = &'n str>) -> HashSet<&'n str> {
        let names: HashSet<&str> = names.filter(|name| name.starts_with(self.prefix)).collect();
        if names.is_empty() {
            return names;
        }
        let own = self.definitions().filter(|(_, kind)| is_value(kind)).map(|(name, _)| name);
        let earlier =
            self.scope.iter().filter(|(_, meaning)| matches!(meaning, Meaning::Tensor(_) | Meaning::Scalar(_)));
        own.chain(earlier.map(|(name, _)| name)).filter_map(|name| names.get(name).copied()).collect()
    }

    pub(super) fn is_value(&self, name: &str) -> bool {
        let is_earlier = || {
            let mut earlier = self.scope.iter().filter(|(known, _)| *known == name);
            earlier.any(|(_, meaning)| matches!(meaning, Meaning::Tensor(_) | Meaning::Scalar(_)))
        };
        self.definitions().rev().any(|(known, kind)| known == name && is_value(kind)) || is_earlier()
    }

    /// Functions of the text, each with the rest of its line after its name.
    pub(super) fn functions(&self) -> impl Iterator<Item = (&'a str, String)> {
        let checked = self.checked;
        let functions = checked.symbols.definitions.iter().filter(|it| matches!(it.kind, DefinitionKind::Function));
        functions.map(move |function| {
            let behind = checked.source.text.get(function.name.end as usize..).unwrap_or_default();
            let line = behind.lines().next().unwrap_or_default();
            (checked.source.slice(function.name), line.trim_end_matches([' ', '{', '\r']).to_string())
        })
    }

    fn definitions(&self) -> impl DoubleEndedIterator<Item = (&'a str, &'a DefinitionKind)> {
        let Known { checked, before, .. } = *self;
        let definitions = &checked.symbols.definitions;
        let end = definitions.partition_point(|definition| definition.name.start < before);
        definitions[..end].iter().map(|definition| (checked.source.slice(definition.name), &definition.kind))
    }
}

fn is_value(kind: &DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Tensor(_) | DefinitionKind::Scalar(_))
}

fn type_text(kind: &DefinitionKind) -> Option<String> {
    match kind {
        DefinitionKind::Tensor(ty) => ty.as_deref().map(PartialType::to_string),
        DefinitionKind::Scalar(element) => element.map(|element| element.to_string()),
        DefinitionKind::Encoding(_) | DefinitionKind::Attribute | DefinitionKind::Type(_) => None,
        DefinitionKind::Value | DefinitionKind::Function | DefinitionKind::Block => None,
        DefinitionKind::MapVariable(_) => None,
    }
}
