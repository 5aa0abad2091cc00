//! The items of a file: aliases, functions, and the modules around them.

use std::collections::HashSet;

use super::Reader;
use crate::{
    ir::{Function, FunctionId, Module},
    mistake::{Mistake, Read},
};
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::Span,
};
use nnz_check::Checked;
use nnz_syntax::{self as syntax, NodeKind, NodeRef, TokenKind, TokenRef};

/// Which functions are there besides the one that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// Those that it names.
    Named,
    All,
}

/// The tokens of a text without the bodies of functions that do not contain `offset`, whose types do not matter
/// there, and without functions that do not matter at all.
pub(super) fn tokens_around(checked: &Checked, offset: u32, others: Others) -> Vec<TokenRef<'_>> {
    let functions = || checked.tree.root().children_of(NodeKind::Function);
    let is_here = |function: &NodeRef<'_>| function.span().touches(offset as usize);
    let names: HashSet<&str> = functions().filter(is_here).flat_map(names_in).collect();
    let mut tokens = Vec::new();
    let mut from = 0;
    for function in functions().filter(|function| !is_here(function) && ends_with_brace(*function)) {
        let span = function.span();
        let known = name_of(function).is_none_or(|name| names.contains(name)) || others == Others::All;
        let end = if known { head_end(function) } else { span.start };
        // Most often nothing stands between two functions.
        if !checked.source.slice(Span::new(from, end as usize)).trim_ascii().is_empty() {
            tokens.extend(checked.tree.tokens_in(from..end as usize).map(|(_, token)| token));
        }
        from = span.end as usize;
    }
    tokens.extend(checked.tree.tokens_in(from..checked.tree.text().len()).map(|(_, token)| token));
    tokens.retain(|token| !token.kind().is_trivia());
    tokens
}

fn names_in(function: NodeRef<'_>) -> impl Iterator<Item = &str> {
    function.tokens().filter(|token| token.kind() == TokenKind::AtId).map(TokenRef::text)
}

/// The name behind `func.func` and `private`.
fn name_of(function: NodeRef<'_>) -> Option<&str> {
    let name = function.tokens().take(3).find(|token| token.kind() == TokenKind::AtId)?;
    Some(name.text())
}

/// Leaves out the contents of broken maps, whose brackets may not match.
pub(super) fn leave_out_broken_maps(checked: &Checked, tokens: &mut Vec<TokenRef<'_>>) {
    let mut broken = checked.symbols.maps.iter().filter(|site| site.map.is_none()).map(|site| site.span).peekable();
    tokens.retain(|token| {
        let start = token.span().start;
        while broken.next_if(|map| map.end <= start).is_some() {}
        broken.peek().is_none_or(|map| start <= map.start)
    });
}

/// Leaves out what the check has told is too much: braces, and fences around the text.
pub(super) fn leave_out_told(checked: &Checked, tokens: &mut Vec<TokenRef<'_>>) {
    let told = |message: &str| [syntax::mlir::EXTRA_BRACE, syntax::habits::FENCE].contains(&message);
    let errors = checked.tree.errors().iter().filter(|error| told(&error.message));
    let edits = errors.flat_map(|error| &error.fixes).flat_map(|fix| &fix.edits);
    let places: Vec<Span> = edits.map(|(place, _)| *place).collect();
    if !places.is_empty() {
        let within = |token: &TokenRef<'_>| places.iter().any(|place| place.cover(token.span()) == *place);
        tokens.retain(|token| !within(token));
    }
}

fn ends_with_brace(function: NodeRef<'_>) -> bool {
    function.text().ends_with('}')
}

/// The first brace of the function at a place that does not open an encoding.
pub(super) fn head_end_at(checked: &Checked, place: Span) -> Option<u32> {
    let mut functions = checked.tree.root().children_of(NodeKind::Function);
    functions.find(|function| function.span() == place).map(head_end)
}

/// The first brace of a function that does not open an encoding.
fn head_end(function: NodeRef<'_>) -> u32 {
    let opens = |token: &TokenRef<'_>| token.kind() == TokenKind::LBrace;
    let bare = |token: &TokenRef<'_>| token.previous().is_none_or(|before| before.kind() != TokenKind::Lt);
    let brace = function.tokens().filter(opens).find(bare);
    brace.map_or(function.span().end, |brace| brace.span().start)
}

impl Reader<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    pub(super) fn begins_item(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        match token.kind() {
            TokenKind::Ident => self.begins_function(at) || self.begins_broken_alias(at),
            TokenKind::HashId | TokenKind::BangId => {
                let equals = self.tokens.get(at + 1).is_some_and(|next| next.kind() == TokenKind::Eq);
                (equals || self.begins_broken_alias(at)) && self.line_begins_at(at)
            }
            TokenKind::String => token.text() == "\"func.func\"" && self.line_begins_at(at),
            _ => false,
        }
    }

    /// An alias without its `#` or its `=`, which the check has reported.
    fn begins_broken_alias(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at).filter(|_| self.line_begins_at(at)) else { return false };
        let next = self.tokens.get(at + 1..).unwrap_or_default().iter().take(3);
        let aliased = { next }.any(|next| syntax::mlir::is_aliased(next.text()));
        let mut around = self.checked.tree.tokens_in(token.span().range());
        let holder = around.next().map(|(node, _)| (node.kind(), node.span().start));
        aliased && holder.is_some_and(|(kind, _)| kind == NodeKind::AttrAlias)
            || holder == Some((NodeKind::TypeAlias, token.span().start))
    }

    /// The token where the next item begins.
    pub(super) fn next_item(&self) -> usize {
        let next = self.items.partition_point(|item| *item <= self.at);
        self.items.get(next).copied().unwrap_or(self.tokens.len())
    }

    /// Runs `read` on the tokens up to the next item.
    pub(super) fn within_item<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.item = Some(self.at..self.next_item());
        self.read_to = self.at;
        let result = read(self);
        self.item = None;
        result
    }

    /// Whether this reports an item that ends too early and that the check has reported already: at a bracket that is
    /// never closed, or, for an alias, at the next token.
    pub(super) fn is_told(&self, diagnostic: &Diagnostic) -> bool {
        let Some(item) = &self.item else { return false };
        let place = |at: usize| self.tokens.get(at).map(|token| token.span());
        let (Some(first), Some(last)) = (place(item.start), item.end.checked_sub(1).and_then(place)) else {
            return false;
        };
        let behind = place(item.end).filter(|_| !self.begins_function(item.start));
        let end = behind.map_or(last.end, |behind| behind.start + 1);
        let is_early = diagnostic.code == Code::SyntaxError && diagnostic.primary.span == Span::at(last.end as usize);
        is_early && self.checked.errors_in(Span { start: first.start, end }) > 0
    }

    pub(super) fn sections(&mut self) -> Vec<Module> {
        let mut modules = Vec::new();
        let splits = nnz_check::mlir::splits(&self.checked.tree);
        for end in splits.into_iter().chain([u32::MAX]) {
            self.functions.clear();
            self.modules.clear();
            self.forget_section();
            let module = self.section(end);
            if !module.functions.is_empty() {
                modules.push(module);
            }
        }
        modules
    }

    fn section(&mut self, end: u32) -> Module {
        let from = self.at;
        self.forget_aliases();
        self.declare_all(end);
        self.forget_aliases();
        self.at = from;
        let mut module = Module::default();
        while !self.at_end() && self.span().start < end {
            if !self.passes() {
                self.item(&mut module);
                self.no_location_between();
            }
        }
        module
    }

    fn forget_aliases(&mut self) {
        self.attribute_aliases.clear();
        self.type_aliases.clear();
    }

    /// Passes over a function that does not hold the place whose types are asked for.
    fn passes(&mut self) -> bool {
        let Some((offset, _)) = self.purpose.only() else { return false };
        let next = self.next_item();
        let behind = self.tokens.get(next).is_none_or(|token| offset < token.span().start);
        let passes = self.at_function() && !(self.span().start <= offset && behind);
        if passes {
            self.at = next;
        }
        passes
    }

    /// An alias, a module or a function.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn item(&mut self, module: &mut Module) {
        let start = self.at;
        let read = match self.peek() {
            TokenKind::HashId | TokenKind::BangId => {
                self.alias_item();
                Ok(())
            }
            TokenKind::Ident if matches!(self.text(), "module" | "builtin.module") => self.module_head(),
            TokenKind::String if self.text() == "\"builtin.module\"" => self.generic_module(),
            _ if self.at_function() => {
                let known = self.mistakes();
                self.function_item(module);
                self.pass_rest_of_function(known);
                Ok(())
            }
            _ if self.begins_broken_alias(self.at) => {
                self.broken.insert(self.text());
                self.at = self.next_item();
                Ok(())
            }
            // The end of a module.
            TokenKind::RBrace => self.module_end(),
            // `{-# dialect_resources: ... #-}`
            TokenKind::LBrace if self.nth_text(1) == "-" => {
                self.skip_group();
                Ok(())
            }
            TokenKind::Ident if self.begins_line() && self.begins_unknown_operation() => {
                let (name, span) = (self.text(), self.span());
                Err(self.unknown(name, span))
            }
            _ => Err(self.no_item()),
        };
        if let Err(mistake) = read {
            self.report(mistake);
            self.recover_item(start);
        }
    }

    fn begins_unknown_operation(&self) -> bool {
        let name = self.text();
        name.contains('.') && name != "func.func" && self.dialects.lookup(name).is_none()
    }

    /// An operation of another dialect may be legal here; what is no operation at all is not.
    fn no_item(&self) -> Mistake {
        let text = self.text();
        let results = self.at(TokenKind::PercentId) && matches!(self.nth_text(1), "=" | ":" | ",");
        let operation = self.at(TokenKind::Ident) && text.contains('.') && text != "func.func";
        let generic = self.at(TokenKind::String) && self.nth_text(1) == "(";
        let function = self.nth(1) == TokenKind::AtId && self.nth(2) == TokenKind::LParen;
        let call = !function || matches!(text, "func.call" | "call") || self.dialects.lookup(text).is_none();
        let legal = self.begins_line() && (operation && call || generic || results);
        let code = if legal { Code::UnsupportedProgram } else { Code::SyntaxError };
        let message = format!("`{text}` does not begin an alias, a module or a function");
        let mistake = Mistake::new(code, self.span(), message).label("nothing begins so here");
        if self.at_statement() {
            return mistake.help("statements stand in a `.nnz` file, which brings this one in by `use \"FILE.mlir\"`");
        }
        match self.at(TokenKind::Ident) && function && !legal {
            true => mistake.guess(self.span(), "func.func"),
            false => mistake,
        }
    }

    /// `A : CSR = ...`, `y(i) = ...`, `:show tree A`
    fn at_statement(&self) -> bool {
        match self.text() {
            ":" => self.nth(1) == TokenKind::Ident,
            text => self.at(TokenKind::Ident) && !text.contains('.') && matches!(self.nth_text(1), ":" | "=" | "("),
        }
    }

    fn alias_item(&mut self) {
        self.note_alias();
        self.within_item(|r| {
            let (start, from) = (r.at, r.span().start);
            match r.alias() {
                Ok(()) => r.no_location_since(from),
                Err(mistake) => {
                    r.report(mistake);
                    r.recover_item(start);
                }
            }
        });
    }

    /// `#name = value`, `!name = type`
    pub(super) fn alias(&mut self) -> Read<()> {
        if self.at(TokenKind::HashId) { self.attribute_alias() } else { self.type_alias() }
    }

    pub(super) fn at_function(&self) -> bool {
        self.begins_function(self.at)
    }

    fn begins_function(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let next = self.tokens.get(at + 1).map(|next| next.kind());
        let old = || matches!(next, Some(TokenKind::AtId | TokenKind::Ident)) && self.line_begins_at(at);
        match (token.kind(), token.text()) {
            (TokenKind::Ident, "func.func") if self.is_nested(token.span()) => false,
            (TokenKind::Ident, "func.func") => !next.is_some_and(nnz_syntax::mlir::follows_attribute),
            (TokenKind::String, "\"func.func\"") => true,
            (TokenKind::Ident, "func") => old(),
            _ => false,
        }
    }

    /// Whether the check has told of a function in the body of another one.
    fn is_nested(&self, name: Span) -> bool {
        let errors = self.checked.tree.errors();
        let at = errors.partition_point(|error| error.span.start < name.start);
        errors.get(at).is_some_and(|error| error.span == name && error.message == syntax::mlir::NESTED)
    }

    /// A function, unless its mistakes are already known.
    fn function_item(&mut self, module: &mut Module) {
        self.table = self.table();
        let key = self.key();
        if key.is_some_and(|key| self.recall(key)) {
            return;
        }
        let (start, known) = (self.at, (self.diagnostics.len(), self.silent));
        self.asks.set(false);
        let function = self.within_item(Self::whole_function);
        match key {
            Some(key) => self.remember(key, start, known),
            None => module.extend(function),
        }
    }

    /// Skips the text after a function that has a bracket too many or too few, on the line of the last bracket. It is
    /// reported, unless the function has a diagnostic since the `known`-th.
    fn pass_rest_of_function(&mut self, known: usize) {
        let closes = matches!(self.peek(), TokenKind::RBrace | TokenKind::RParen);
        if closes || self.at_end() || self.begins_line() || self.begins_item(self.at) {
            return;
        }
        if self.mistakes() == known {
            self.report(self.no_item().label("the body of the function has ended"));
        }
        self.at = self.next_item();
    }

    /// A function with its body checked; `None` for a broken one. Mistakes are reported.
    fn whole_function(&mut self) -> Option<Function> {
        let (known, start) = (self.mistakes(), self.span().start);
        let read = if self.at(TokenKind::String) { self.generic_function() } else { self.function() };
        self.optional_location();
        match read {
            Ok(function) => {
                self.check_body(&function, known);
                if self.mistakes() == known {
                    self.no_location_since(start);
                }
                Some(function)
            }
            Err(mistake) => {
                self.report(mistake);
                self.at = self.end();
                None
            }
        }
    }

    /// `module @name attributes {...} {`
    fn module_head(&mut self) -> Read<()> {
        let table = self.table_of_module();
        self.bump();
        if self.at(TokenKind::AtId) {
            self.define_module(table);
            self.bump();
        }
        self.module_attributes()?;
        self.expect(TokenKind::LBrace)
    }

    /// `"builtin.module"() <{...}> ({ ^bb0:`
    fn generic_module(&mut self) -> Read<()> {
        self.bump();
        self.expect(TokenKind::LParen)?;
        self.expect(TokenKind::RParen)?;
        if self.at(TokenKind::Lt) {
            self.angles()?;
        }
        self.expect(TokenKind::LParen)?;
        self.expect(TokenKind::LBrace)?;
        if self.eat(TokenKind::CaretId) {
            self.expect(TokenKind::Colon)?;
        }
        Ok(())
    }

    /// `}`, and of the generic syntax `}) {...} : () -> ()`
    fn module_end(&mut self) -> Read<()> {
        self.bump();
        if self.eat(TokenKind::RParen) {
            self.optional_dictionary()?;
            self.expect(TokenKind::Colon)?;
            self.no_values("builtin.module")?;
        }
        self.optional_location();
        Ok(())
    }

    /// Continues after the broken item: at the next item, or the next module, that begins a line.
    fn recover_item(&mut self, start: usize) {
        self.at = self.at.max(start + 1);
        while !(self.at_end() || self.begins_line() && self.recovers_here()) {
            self.bump();
        }
    }

    fn recovers_here(&self) -> bool {
        let module = matches!(
            (self.peek(), self.text()),
            (TokenKind::Ident, "module") | (TokenKind::String, "\"builtin.module\"")
        );
        module || self.begins_item(self.at)
    }
}

impl Module {
    fn extend(&mut self, function: Option<Function>) {
        let Some(function) = function else { return };
        let id = FunctionId::new(self.functions.len());
        self.names.entry(function.name.clone()).or_default().push(id);
        self.functions.push(function);
    }
}
