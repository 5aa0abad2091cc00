//! Completion in the nnz notation, outside of encodings: commands, types, names, generators.

use std::collections::HashSet;

use super::{Completion, CompletionKind, Cursor, Known};
use nnz_base::{diagnostic::Code, element::Element};
use nnz_check::{
    command::{Command, Setting, View},
    kernel::functions,
};
use nnz_encoding::named;
use nnz_storage::generate;
use nnz_syntax::TokenKind;

impl Cursor {
    pub(super) fn in_session(&self, known: &Known<'_>) -> Vec<Completion> {
        if let Some(items) = self.in_command(known).or_else(|| self.in_schedule(known)) {
            return items;
        }
        if self.prefix.starts_with('@') {
            return self.program_functions(known);
        }
        match self.statement().last().map(|last| last.kind) {
            Some(TokenKind::Colon) => self.types(known),
            Some(TokenKind::Eq) => {
                let own = self.generators().into_iter().chain(self.values(known));
                own.chain(self.functions(known)).collect()
            }
            None => self.values(known),
            Some(_) => {
                let names = self.values(known).into_iter().chain(self.functions(known));
                names.chain(self.schedule_word()).collect()
            }
        }
    }

    /// `schedule`, behind an operand of a kernel.
    fn schedule_word(&self) -> Option<Completion> {
        let is_behind = self.last_is(&[TokenKind::Ident, TokenKind::RParen, TokenKind::Int, TokenKind::Float]);
        let kernel = is_behind && self.statement().iter().any(|token| token.kind == TokenKind::Eq);
        let detail = "how the loops run: schedule parallelize(i)";
        kernel.then(|| self.item("schedule", detail, CompletionKind::Keyword))
    }

    /// Those of the MLIR programs that are in use.
    fn program_functions(&self, known: &Known<'_>) -> Vec<Completion> {
        let functions = known.scope.functions();
        functions.map(|(name, of)| self.item(&format!("@{name}"), &of.text, CompletionKind::Function)).collect()
    }

    /// The tokens of the statement before the word: those on its line, behind any semicolon.
    fn statement(&self) -> &[super::Before] {
        let start = self.before.partition_point(|token| token.span.start < self.line_start);
        let semicolon = self.before.iter().rposition(|token| token.kind == TokenKind::Semicolon);
        &self.before[start.max(semicolon.map_or(0, |at| at + 1))..]
    }

    /// `:show levels A` and its like; `None` where the statement is no command.
    fn in_command(&self, known: &Known<'_>) -> Option<Vec<Completion>> {
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
            Some("set") if words.len() == 1 => Setting::ALL.iter().map(|(name, takes)| command(name, takes)).collect(),
            Some("explain") => Code::ALL.iter().map(|code| command(code.text(), code.title())).collect(),
            Some(_) => self.names(known),
        })
    }

    fn types(&self, known: &Known<'_>) -> Vec<Completion> {
        let named = named::FORMATS.iter().map(|info| self.item(info.name, info.meaning, CompletionKind::Encoding));
        let tensor = self.item("tensor", "a type with its shape: tensor<3x4xf64, CSR>", CompletionKind::Keyword);
        let scalars =
            Element::ALL.iter().map(|e| self.item(e.name(), "a scalar of this type", CompletionKind::Keyword));
        named.chain(self.aliases(known)).chain([tensor]).chain(scalars).collect()
    }

    fn generators(&self) -> Vec<Completion> {
        let read = self.item("read", "a tensor from a file: read \"matrix.mtx\"", CompletionKind::Keyword);
        let all = generate::registry().iter();
        all.map(|info| self.item(info.name, info.summary, CompletionKind::Function)).chain([read]).collect()
    }

    /// Functions and reductions, but those whose names are taken.
    fn functions(&self, known: &Known<'_>) -> Vec<Completion> {
        let taken: HashSet<&str> = known.value_names().collect();
        let free = functions::function_names().filter(|name| !taken.contains(name));
        free.filter_map(|name| {
            let (usage, summary) = functions::describe(name)?;
            Some(self.item(name, &format!("{usage}: {summary}"), CompletionKind::Function))
        })
        .collect()
    }

    fn values(&self, known: &Known<'_>) -> Vec<Completion> {
        known.values().map(|(name, ty)| self.item(name, &ty, CompletionKind::Variable)).collect()
    }

    /// What a command can be about.
    fn names(&self, known: &Known<'_>) -> Vec<Completion> {
        self.values(known).into_iter().chain(self.aliases(known)).collect()
    }
}
