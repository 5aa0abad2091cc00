//! Completion in the nnz notation, outside of encodings: commands, types, names, generators.

use super::{Completion, CompletionKind, Cursor};
use crate::{
    check::{
        Checked, DefinitionKind,
        command::{Command, View},
    },
    encoding::named,
    storage::generate,
    syntax::TokenKind,
};

impl Cursor {
    pub(super) fn in_session(&self, checked: &Checked) -> Vec<Completion> {
        if let Some(items) = self.in_command(checked) {
            return items;
        }
        match self.statement().last().map(|last| last.kind) {
            Some(TokenKind::Colon) => self.types(checked),
            Some(TokenKind::Eq) => self.generators().into_iter().chain(self.values(checked)).collect(),
            _ => self.values(checked),
        }
    }

    /// The tokens of the statement before the word: those on its line.
    fn statement(&self) -> &[super::Before] {
        let start = self.before.partition_point(|token| token.span.start < self.line_start);
        &self.before[start..]
    }

    /// `:show levels A` and its like; `None` where the statement is no command.
    fn in_command(&self, checked: &Checked) -> Option<Vec<Completion>> {
        let [colon, words @ ..] = self.statement() else { return None };
        if colon.kind != TokenKind::Colon {
            return None;
        }
        let command = |text: &str, detail: &str| self.item(text, detail, CompletionKind::Command);
        Some(match words.first().map(|word| word.text.as_str()) {
            None | Some("help") => Command::ALL.iter().map(|info| command(info.name, info.summary)).collect(),
            Some("show") if words.len() == 1 => {
                View::ALL.iter().map(|view| command(view.name(), view.summary())).collect()
            }
            Some(_) => self.values(checked),
        })
    }

    fn types(&self, checked: &Checked) -> Vec<Completion> {
        let named = named::FORMATS.iter().map(|info| self.item(info.name, info.meaning, CompletionKind::Encoding));
        let tensor = self.item("tensor", "a type with its shape: tensor<3x4xf64, CSR>", CompletionKind::Keyword);
        named.chain(self.aliases(checked)).chain([tensor]).collect()
    }

    fn generators(&self) -> Vec<Completion> {
        let read = self.item("read", "a tensor from a file: read \"matrix.mtx\"", CompletionKind::Keyword);
        let all = generate::registry().iter();
        all.map(|info| self.item(info.name, info.summary, CompletionKind::Function)).chain([read]).collect()
    }

    /// The tensors and scalars that the text defines.
    fn values(&self, checked: &Checked) -> Vec<Completion> {
        let value = |kind: &DefinitionKind| match kind {
            DefinitionKind::Tensor(ty) => ty.as_ref().map(|ty| ty.to_string()),
            DefinitionKind::Scalar(element) => element.map(|element| element.to_string()),
            _ => None,
        };
        let found = checked.symbols.definitions.iter().filter_map(|d| Some((d.name, value(&d.kind)?)));
        found.map(|(name, ty)| self.item(checked.source.slice(name), &ty, CompletionKind::Variable)).collect()
    }
}
