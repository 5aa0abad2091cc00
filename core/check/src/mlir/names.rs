//! Definitions and uses of SSA values, symbols, blocks, type aliases and old operations, found among the
//! tokens. Nothing here is an error, since operations are skipped.

use std::collections::HashMap;

use crate::{Checker, DefId, DefinitionKind, legacy};
use nnz_base::{diagnostic::Code, source::Span};
use nnz_syntax::{NodeKind, TokenKind, TokenRef, Tree, location};

/// Records every name of `tree`.
pub(super) fn record(tree: &Tree, c: &mut Checker<'_>) {
    let mut tokens: Vec<TokenRef<'_>> = tree.tokens().filter(|token| !token.kind().is_trivia()).collect();
    location::leave_out(tree, &mut tokens);
    let functions: Vec<Span> =
        tree.root().descendants().filter(|node| node.kind() == NodeKind::Function).map(|node| node.span()).collect();
    let mut names = Names { tokens: &tokens, functions, ..Names::default() };
    names.types = type_aliases(c);
    names.run(c);
}

fn type_aliases<'s>(c: &Checker<'s>) -> HashMap<&'s str, DefId> {
    let types =
        c.symbols.definition_ids().filter(|&id| matches!(c.symbols.definition(id).kind, DefinitionKind::Type(_)));
    types.map(|id| (c.text(c.symbols.definition(id).name), id)).collect()
}

#[derive(Default)]
struct Names<'t, 's> {
    tokens: &'t [TokenRef<'t>],
    /// Functions in order; values and blocks are known inside one.
    functions: Vec<Span>,
    types: HashMap<&'s str, DefId>,
    symbols: HashMap<&'t str, DefId>,
    locals: HashMap<&'t str, DefId>,
    /// Uses before the definition was seen.
    waiting: Vec<TokenRef<'t>>,
    /// The current parenthesis lists arguments of a function or block.
    in_parameters: bool,
}

impl<'t> Names<'t, '_> {
    fn run(&mut self, c: &mut Checker<'_>) {
        let mut function = 0;
        let mut defined_until = 0;
        for at in 0..self.tokens.len() {
            let token = self.tokens[at];
            let start = token.span().start;
            while self.functions.get(function).is_some_and(|span| span.end <= start) {
                function += 1;
                self.leave_function(c);
            }
            if token.kind() == TokenKind::PercentId && at >= defined_until && self.begins_line(at) {
                defined_until = self.results_end(at).unwrap_or(at);
            }
            self.token(at, at < defined_until, c);
        }
        self.leave_function(c);
    }

    fn kind(&self, at: usize) -> TokenKind {
        self.tokens.get(at).map_or(TokenKind::Eof, |token| token.kind())
    }

    fn begins_line(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|at| self.tokens.get(at)) else { return true };
        !matches!(before.kind(), TokenKind::Comma | TokenKind::LParen | TokenKind::LBracket)
    }

    /// The index behind `%a, %b:2` if an `=` follows.
    fn results_end(&self, from: usize) -> Option<usize> {
        let mut at = from;
        while matches!(self.kind(at), TokenKind::PercentId | TokenKind::Comma | TokenKind::Colon | TokenKind::Int) {
            at += 1;
        }
        (self.kind(at) == TokenKind::Eq).then_some(at)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn token(&mut self, at: usize, is_result: bool, c: &mut Checker<'_>) {
        let token = self.tokens[at];
        match token.kind() {
            TokenKind::PercentId => self.value(at, is_result, c),
            TokenKind::AtId => self.symbol(at, c),
            TokenKind::CaretId => self.block(at, c),
            TokenKind::BangId => {
                if let Some(&id) =
                    self.types.get(token.text()).filter(|&&id| c.symbols.definition(id).name != token.span())
                {
                    c.record_use(token.span(), Some(id));
                }
            }
            TokenKind::LParen => {
                self.in_parameters |= at.checked_sub(1).is_some_and(|before| {
                    self.kind(before) == TokenKind::CaretId
                        || self.kind(before) == TokenKind::AtId && self.defines_symbol(before)
                });
            }
            TokenKind::RParen => self.in_parameters = false,
            TokenKind::Ident => self.word(at, c),
            _ => {}
        }
    }

    fn value(&mut self, at: usize, is_result: bool, c: &mut Checker<'_>) {
        let token = self.tokens[at];
        let before = at.checked_sub(1).map(|before| self.tokens[before].text());
        let parameter = self.in_parameters && self.kind(at + 1) == TokenKind::Colon;
        let bound = self.kind(at + 1) == TokenKind::Eq || before == Some("^");
        if is_result || parameter || bound {
            let id = c.define(token.span(), token.span(), DefinitionKind::Value);
            self.locals.insert(token.text(), id);
        } else if let Some(&id) = self.locals.get(value_name(token)) {
            c.record_use(token.span(), Some(id));
        } else {
            self.waiting.push(token);
        }
    }

    /// Behind the operation and its visibility: `func.func private @f`.
    fn defines_symbol(&self, at: usize) -> bool {
        let before = |n: usize| at.checked_sub(n).map_or("", |before| self.tokens[before].text());
        let word = if matches!(before(1), "private" | "public" | "nested") { before(2) } else { before(1) };
        matches!(word, "func.func" | "func" | "module" | "memref.global" | "llvm.func" | "gpu.func" | "gpu.module")
    }

    fn symbol(&mut self, at: usize, c: &mut Checker<'_>) {
        let token = self.tokens[at];
        if self.defines_symbol(at) {
            let start = token.span().start;
            let next = self.functions.partition_point(|span| span.end <= start);
            let whole = self.functions.get(next).copied().filter(|span| span.start <= start).unwrap_or(token.span());
            let id = c.define(token.span(), whole, DefinitionKind::Function);
            self.symbols.insert(token.text(), id);
        } else {
            self.waiting.push(token);
        }
    }

    fn block(&mut self, at: usize, c: &mut Checker<'_>) {
        let token = self.tokens[at];
        let starts = self.begins_block(at);
        if starts {
            let id = c.define(token.span(), token.span(), DefinitionKind::Block);
            self.locals.insert(token.text(), id);
        } else {
            self.waiting.push(token);
        }
    }

    /// `^bb0:` or `^bb0(%x: f64):`, and not an operand of a branch.
    fn begins_block(&self, at: usize) -> bool {
        if self.kind(at + 1) == TokenKind::Colon {
            return true;
        }
        self.kind(at + 1) == TokenKind::LParen
            && self.kind(at + 2) == TokenKind::PercentId
            && self.kind(at + 3) == TokenKind::Colon
            && at.checked_sub(1).is_none_or(|before| self.kind(before) != TokenKind::Comma)
            && at.checked_sub(1).is_none_or(|before| self.tokens[before].text() != "cf.br")
    }

    fn word(&mut self, at: usize, c: &mut Checker<'_>) {
        let token = self.tokens[at];
        let text = token.text();
        if text.starts_with("sparse_tensor.") || self.begins_old_operation(at) {
            let line = &self.tokens[at + 1..self.tokens.len().min(at + 12)];
            legacy::warn_operation(token, line, c);
        } else if matches!(text, "sparse" | "sparse_dim_map")
            && self.kind(at + 1) == TokenKind::Eq
            && self.kind(at + 2) == TokenKind::LBracket
        {
            self.silent_trait(token, c);
        } else if text == "memref" && self.kind(at + 1) == TokenKind::Lt {
            self.memref(at, c);
        }
    }

    /// Operations of other dialects that were renamed: `bufferization.to_memref`, `func @f`, `%0 = constant 1 : i32`.
    fn begins_old_operation(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or(TokenKind::Eof, |before| self.kind(before));
        match self.tokens[at].text() {
            "bufferization.to_memref" | "linalg.init_tensor" => true,
            "func" => matches!(self.kind(at + 1), TokenKind::AtId | TokenKind::Ident) && before != TokenKind::Eq,
            "constant" => before == TokenKind::Eq,
            _ => false,
        }
    }

    /// `sparse = [["D", "S"], ["D"]]` on a linalg trait, the form of 2020.
    fn silent_trait(&self, token: TokenRef<'_>, c: &mut Checker<'_>) {
        let message = format!("`{}` on a trait has had no effect since 2021", token.text());
        let diagnostic = c.diagnostic(Code::SilentTrait, token.span(), message).label("nothing reads it");
        c.report(diagnostic.note("MLIR 22 keeps it as an unknown attribute").help(
            "say it in the operand's type: one level per letter, `S` is compressed, `D` is dense, \
             and `sparse_dim_map` is the order of the levels",
        ));
    }

    /// `memref<4xf64, #CSR>`: the encoding stands where a layout does, and MLIR ignores it.
    fn memref(&self, at: usize, c: &mut Checker<'_>) {
        let inside = self.tokens[at + 2..].iter().take(12).take_while(|token| token.kind() != TokenKind::Gt);
        let Some(name) = inside.filter(|token| token.kind() == TokenKind::HashId).last() else { return };
        let encoding = name.text() == "#sparse_tensor.encoding" || c.encoding_alias(name.text());
        if encoding {
            let message = "an encoding on a memref has no effect";
            let diagnostic =
                c.diagnostic(Code::IgnoredEncoding, name.span(), message).label("in the place of a layout");
            c.report(diagnostic.note("MLIR 22 reads it and ignores it").help("encodings belong to `tensor` types"));
        }
    }

    fn leave_function(&mut self, c: &mut Checker<'_>) {
        let mut symbols = Vec::new();
        for token in self.waiting.drain(..) {
            if token.kind() == TokenKind::AtId && !self.symbols.contains_key(token.text()) {
                symbols.push(token);
            } else {
                let known = self.locals.get(value_name(token)).or_else(|| self.symbols.get(token.text()));
                c.record_use(token.span(), known.copied());
            }
        }
        self.waiting = symbols;
        self.locals.clear();
    }
}

/// The name of a value without the number of one of its results: `%r` of `%r#1`.
fn value_name<'t>(token: TokenRef<'t>) -> &'t str {
    let text = token.text();
    if token.kind() == TokenKind::PercentId { text.split('#').next().unwrap_or(text) } else { text }
}

impl Checker<'_> {
    /// Whether the file gives an encoding this name.
    fn encoding_alias(&self, name: &str) -> bool {
        let mut encodings = self.symbols.definitions.iter().filter(|d| matches!(d.kind, DefinitionKind::Encoding(_)));
        encodings.any(|definition| self.text(definition.name) == name)
    }
}
