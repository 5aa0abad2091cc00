//! Completion in the nnz notation, outside encodings: commands, types, names, generators.

use std::collections::HashSet;

use super::{
    Completion, CompletionKind, Known,
    cursor::{Before, Cursor},
    schedule::call_with_places,
};
use crate::kernels::kernels;
use nnz_base::{diagnostic::Code, element::Element};
use nnz_check::{
    command::{Command, Setting, View},
    kernel::functions,
};
use nnz_storage::generate::{self, GeneratorInfo, Parameter, ParameterDefault};
use nnz_syntax::TokenKind;

impl Cursor {
    pub(super) fn in_session(&self, known: &Known<'_>) -> Vec<Completion> {
        if let Some(items) = self.in_command(known).or_else(|| self.in_schedule(known)) {
            return items;
        }
        if self.prefix.starts_with('@') {
            return self.program_functions(known);
        }
        if let Some(items) = self.in_generator() {
            return items;
        }
        match self.statement().last().map(|last| last.kind) {
            Some(TokenKind::Colon) => self.types(known),
            Some(TokenKind::Eq) => {
                let own = self.generators().into_iter().chain(self.decomposition()).chain(self.values(known));
                own.chain(self.functions(known)).collect()
            }
            None => self.values(known),
            Some(TokenKind::String) => Vec::new(),
            Some(_) => {
                let variables = self.index_variables(known);
                let names = self.values(known).into_iter().chain(self.functions(known));
                match self.in_access(known) {
                    true => variables.into_iter().chain(names).collect(),
                    false => names.chain(variables).chain(self.schedule_word()).collect(),
                }
            }
        }
    }

    /// The index variables that the kernel has so far.
    fn index_variables(&self, known: &Known<'_>) -> Vec<Completion> {
        let statement = self.statement();
        let is_kernel = statement.get(1).is_some_and(|open| open.kind == TokenKind::LParen)
            && statement.iter().any(|token| is_assignment(token.kind));
        let called = |at: usize| statement.get(at + 1).is_some_and(|next| next.kind == TokenKind::LParen);
        let names = statement.iter().enumerate().filter(|(at, _)| !called(*at)).map(|(_, token)| token);
        if is_kernel { self.loops(names, "an index variable", known) } else { Vec::new() }
    }

    /// In the brackets behind the name of a tensor.
    fn in_access(&self, known: &Known<'_>) -> bool {
        let open = self.enclosing().first().copied();
        let name = open.and_then(|open| self.text_before(open));
        name.is_some_and(|name| name.kind == TokenKind::Ident && known.is_value(&name.text))
    }

    /// In the brackets behind the name of a generator: its arguments that are not given yet.
    fn in_generator(&self) -> Option<Vec<Completion>> {
        let open = *self.enclosing().first()?;
        let generator = generate::lookup(&self.text_before(open)?.text)?;
        let begins = self.last_is(&[TokenKind::LParen, TokenKind::Comma]);
        Some(if begins { self.arguments(generator, &self.before[open..]) } else { Vec::new() })
    }

    fn arguments(&self, generator: &GeneratorInfo, given: &[Before]) -> Vec<Completion> {
        let missing = |parameter: &&Parameter| !given.iter().any(|token| token.text == parameter.name);
        let item = |parameter: &Parameter| {
            let name = parameter.name;
            let usual = match parameter.default {
                ParameterDefault::Is(value) => value.to_string(),
                ParameterDefault::FromShape | ParameterDefault::As(_) => String::new(),
            };
            let item = self.item(name, parameter.doc, CompletionKind::Key);
            item.inserting(format!("{name} = {usual}")).with(&format!("{name} = ‹{usual}›"))
        };
        generator.parameters.iter().filter(missing).map(item).collect()
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
        let functions = known.scope.functions().map(|(name, of)| (format!("@{name}"), of.text.clone()));
        let used = known.checked.used.iter().flat_map(|used| {
            let of_file = Known { checked: &used.file, ..*known };
            of_file.functions().map(|(name, ty)| (name.to_string(), ty)).collect::<Vec<_>>()
        });
        functions.chain(used).map(|(name, ty)| self.item(&name, &ty, CompletionKind::Function)).collect()
    }

    /// The tokens of the statement before the word: those on its line, behind any semicolon.
    fn statement(&self) -> &[Before] {
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
            Some("show") if words.get(1).is_some_and(|view| is_of_kernels(&view.text)) => self.kernels(known),
            Some("time" | "step") => self.kernels(known),
            Some("set") => Vec::new(),
            Some("explain") => Code::ALL.iter().map(|code| command(code.text(), code.title())).collect(),
            Some(_) => self.names(known),
        })
    }

    fn types(&self, known: &Known<'_>) -> Vec<Completion> {
        let named = self.formats();
        let tensor = self.item("tensor", "a type with its shape: tensor<3x4xf64, CSR>", CompletionKind::Keyword);
        let tensor = tensor.with("tensor<‹3x4›x‹f64›, ‹CSR›>");
        let scalars =
            Element::ALL.iter().map(|e| self.item(e.name(), "a scalar of this type", CompletionKind::Keyword));
        named.chain(self.aliases(known)).chain([tensor]).chain(scalars).collect()
    }

    fn generators(&self) -> Vec<Completion> {
        let read = self.item("read", "a tensor from a file: read \"matrix.mtx\"", CompletionKind::Keyword);
        let call = |info: &GeneratorInfo| {
            let item = self.item(info.name, info.summary, CompletionKind::Function);
            item.with(&format!("{}(‹›)", info.name))
        };
        generate::registry().iter().map(call).chain([read]).collect()
    }

    /// Without a type in front of the `=`.
    fn decomposition(&self) -> Option<Completion> {
        let parts = "a tensor in several formats: decompose(A, [BSR(8, 8), CSR])";
        let item = self.item("decompose", parts, CompletionKind::Keyword).with("decompose(‹A›, [‹CSR›])");
        let typed = self.statement().iter().any(|token| token.kind == TokenKind::Colon);
        (!typed).then_some(item)
    }

    /// Functions and reductions, but those whose names are taken.
    fn functions(&self, known: &Known<'_>) -> Vec<Completion> {
        let names = || functions::function_names().chain(functions::SEMIRINGS.iter().copied());
        let taken: HashSet<&str> = known.taken(names());
        let free = names().filter(|name| name.starts_with(&self.prefix) && !taken.contains(name));
        free.filter_map(|name| {
            let (usage, summary) = functions::describe(name)?;
            let item = self.item(name, &format!("{usage}: {summary}"), CompletionKind::Function);
            Some(item.with(&call_with_places(&usage)))
        })
        .collect()
    }

    fn values(&self, known: &Known<'_>) -> Vec<Completion> {
        known.values().into_iter().map(|(name, ty)| self.item(name, &ty, CompletionKind::Variable)).collect()
    }

    /// The kernels of the text, and the names of earlier cells, which may be kernels.
    fn kernels(&self, known: &Known<'_>) -> Vec<Completion> {
        let kernels: HashSet<String> = kernels(known.checked).into_iter().map(|kernel| kernel.name).collect();
        let earlier = |name: &str| known.scope.iter().any(|(other, _)| other == name);
        let values = known.values().into_iter().filter(|(name, _)| kernels.contains(*name) || earlier(name));
        values.map(|(name, ty)| self.item(name, &ty, CompletionKind::Variable)).collect()
    }

    /// What a command can be about.
    fn names(&self, known: &Known<'_>) -> Vec<Completion> {
        self.values(known).into_iter().chain(self.aliases(known)).collect()
    }
}

/// Whether a view shows kernels, and not tensors.
fn is_of_kernels(name: &str) -> bool {
    View::ALL.iter().any(|view| view.name() == name && view.is_of_kernel())
}

fn is_assignment(kind: TokenKind) -> bool {
    use TokenKind::{Eq, MinusEq, PlusEq, SlashEq, StarEq};
    matches!(kind, Eq | PlusEq | MinusEq | StarEq | SlashEq)
}
