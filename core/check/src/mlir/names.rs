//! Definitions and uses of SSA values, symbols, blocks, type aliases and old operations, found among the
//! tokens. Nothing here is an error, since operations are skipped.

mod scopes;

use rustc_hash::FxHashMap;

use self::scopes::Scopes;
use super::operations::{warn_expansion, warn_operation};
use crate::{Checker, DefId, DefinitionKind, sections::splits};
use nnz_base::{diagnostic::Code, source::Span};
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef, Tree, location};

/// Records every name of `tree`.
pub(super) fn record(tree: &Tree, c: &mut Checker<'_>) {
    let mut tokens: Vec<TokenRef<'_>> = tree.tokens().filter(|token| !token.kind().is_trivia()).collect();
    location::leave_out(tree, &mut tokens);
    let functions = tree.root().children_of(NodeKind::Function).map(NodeRef::span).collect();
    refuse_types_defined_twice(tree, c);
    record_all(tree, (&tokens, functions), c);
}

/// Records the names in a function without locations; those of other functions are not known.
pub(super) fn record_in(tree: &Tree, function: NodeRef<'_>, c: &mut Checker<'_>) {
    let tokens: Vec<TokenRef<'_>> = function.tokens().collect();
    record_all(tree, (&tokens, vec![function.span()]), c);
}

fn record_all(tree: &Tree, (tokens, functions): (&[TokenRef<'_>], Vec<Span>), c: &mut Checker<'_>) {
    let splits = splits(tree);
    let types = type_aliases(c, &splits);
    let names = Names { text: tree.text(), tokens, functions, splits, types, ..Names::default() };
    names.run(c);
}

/// By the section that they are in.
fn type_aliases<'s>(c: &Checker<'s>, splits: &[u32]) -> FxHashMap<(usize, &'s str), DefId> {
    types(c, splits).collect()
}

/// The aliases of types in the order of the text, with the sections that they are in.
fn types<'s>(c: &Checker<'s>, splits: &[u32]) -> impl Iterator<Item = ((usize, &'s str), DefId)> {
    let ids = c.symbols.definition_ids().filter(|&id| matches!(c.symbols.definition(id).kind, DefinitionKind::Type(_)));
    let section = |name: Span| splits.partition_point(|split| *split < name.start);
    ids.map(|id| (c.symbols.definition(id).name, id)).map(move |(name, id)| ((section(name), c.text(name)), id))
}

fn refuse_types_defined_twice(tree: &Tree, c: &mut Checker<'_>) {
    let (mut first, mut twice) = (FxHashMap::default(), Vec::new());
    for (key, id) in types(c, &splits(tree)) {
        let name = c.symbols.definition(id).name;
        if *first.entry(key).or_insert(name) != name {
            twice.push((key.1, name, first[&key]));
        }
    }
    for (text, name, first) in twice {
        let diagnostic = c.diagnostic(Code::RedefinedAlias, name, format!("`{text}` is defined twice"));
        c.report(diagnostic.label("the second definition").secondary(first, "first defined here"));
    }
}

#[derive(Default)]
struct Names<'t, 's> {
    text: &'t str,
    tokens: &'t [TokenRef<'t>],
    /// Functions in order; values and blocks are known inside one.
    functions: Vec<Span>,
    /// Where sections begin, whose functions and aliases are their own; and how many have begun.
    splits: Vec<u32>,
    section: usize,
    types: FxHashMap<(usize, &'s str), DefId>,
    symbols: FxHashMap<&'t str, DefId>,
    locals: Scopes<'t>,
    /// Names of functions that were not seen yet.
    called: Vec<TokenRef<'t>>,
    /// What the parentheses that are open do with the names of values in them.
    lists: Vec<List>,
    /// Names behind `case` are defined, up to the region.
    in_case: bool,
}

/// What a parenthesis is to the values in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    /// It defines those with a type behind for the region that follows: parameters of a function or a region.
    Parameters,
    /// It defines those with a type behind, where it is.
    Block,
    /// It defines them all: the variables of a loop.
    Variables,
    Uses,
}

impl<'t> Names<'t, '_> {
    fn run(mut self, c: &mut Checker<'_>) {
        let mut function = 0;
        let mut defined_until = 0;
        for at in 0..self.tokens.len() {
            let token = self.tokens[at];
            let start = token.span().start;
            while self.functions.get(function).is_some_and(|span| span.end <= start) {
                function += 1;
                self.locals.end(c);
                self.lists.clear();
                self.in_case = false;
            }
            while self.splits.get(self.section).is_some_and(|split| *split < start) {
                self.section += 1;
                self.end_section(c);
            }
            if token.kind() == TokenKind::PercentId && at >= defined_until && self.begins_line(at) {
                defined_until = self.results_end(at).unwrap_or(at);
            }
            self.token(at, at < defined_until, c);
        }
        self.end_section(c);
    }

    fn kind(&self, at: usize) -> TokenKind {
        self.tokens.get(at).map_or(TokenKind::Eof, |token| token.kind())
    }

    fn begins_line(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|at| self.tokens.get(at)) else { return true };
        !matches!(before.kind(), TokenKind::Comma | TokenKind::Eq | TokenKind::LParen | TokenKind::LBracket)
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
                let known = self.types.get(&(self.section, token.text()));
                if let Some(&id) = known.filter(|&&id| c.symbols.definition(id).name != token.span()) {
                    c.record_use(token.span(), Some(id));
                }
            }
            TokenKind::LParen => self.lists.push(self.list(at)),
            TokenKind::RParen => drop(self.lists.pop()),
            TokenKind::LBrace => {
                self.in_case = false;
                self.locals.open(self.begins_region(at));
            }
            TokenKind::RBrace => self.locals.close(c),
            TokenKind::Ident => self.word(at, c),
            _ => {}
        }
    }

    fn value(&mut self, at: usize, is_result: bool, c: &mut Checker<'_>) {
        let token = self.tokens[at];
        let within = self.lists.last().is_some_and(|list| *list == List::Block);
        if is_result || self.is_bound(at) {
            let id = c.define(token.span(), token.span(), DefinitionKind::Value);
            match is_result || within {
                true => self.locals.define(token.text(), id),
                false => self.locals.pass(token.text(), id),
            }
        } else {
            self.locals.refer(token, c);
        }
    }

    /// `iter_args(%s = %zero)`, `iterate %it in %space`, `case %it {`, a parameter or a variable of a loop.
    fn is_bound(&self, at: usize) -> bool {
        let listed = match self.lists.last() {
            Some(List::Parameters | List::Block) => self.kind(at + 1) == TokenKind::Colon,
            Some(List::Variables) => true,
            Some(List::Uses) | None => false,
        };
        listed || self.in_case || self.kind(at + 1) == TokenKind::Eq || self.before(at) == "sparse_tensor.iterate"
    }

    /// Not the attributes of a parameter, or those of an operation behind their word.
    fn begins_region(&self, at: usize) -> bool {
        let in_parameters = matches!(self.lists.last(), Some(List::Parameters | List::Block | List::Variables));
        !in_parameters && self.before(at) != "attributes"
    }

    /// The text of the token before.
    fn before(&self, at: usize) -> &'t str {
        at.checked_sub(1).map_or("", |before| self.tokens[before].text())
    }

    /// What the parenthesis at `at` is.
    fn list(&self, at: usize) -> List {
        let before = at.checked_sub(1).map_or(TokenKind::Eof, |before| self.kind(before));
        if before == TokenKind::AtId && self.defines_symbol(at - 1) {
            return List::Parameters;
        }
        if before == TokenKind::CaretId && self.begins_block(at - 1) {
            return List::Block;
        }
        if self.kind(at + 1) != TokenKind::PercentId {
            return List::Uses;
        }
        match self.behind_list(at) {
            _ if self.before(at) == "at" => List::Variables,
            Some((TokenKind::Eq, _) | (TokenKind::Ident, "in")) => List::Variables,
            Some((TokenKind::LBrace, _)) if before != TokenKind::Ident => List::Parameters,
            Some(_) | None => List::Uses,
        }
    }

    /// The contents after the parenthesis at `at`, if they are short.
    fn behind_list(&self, at: usize) -> Option<(TokenKind, &'t str)> {
        const MOST: usize = 256;
        let mut depth = 0_usize;
        for (index, token) in self.tokens.iter().enumerate().skip(at).take(MOST) {
            depth += usize::from(token.kind() == TokenKind::LParen);
            depth -= usize::from(token.kind() == TokenKind::RParen);
            if depth == 0 {
                return self.tokens.get(index + 1).map(|behind| (behind.kind(), behind.text()));
            }
        }
        None
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
            self.called.push(token);
        }
    }

    fn block(&mut self, at: usize, c: &mut Checker<'_>) {
        let token = self.tokens[at];
        let starts = self.begins_block(at);
        if starts {
            let id = c.define(token.span(), token.span(), DefinitionKind::Block);
            self.locals.define(token.text(), id);
        } else {
            self.locals.refer(token, c);
        }
    }

    /// `^bb0:` or `^bb0(%x: f64):` at the beginning of a line or region, and not an operand of a branch.
    fn begins_block(&self, at: usize) -> bool {
        if self.kind(at + 1) == TokenKind::Colon {
            return true;
        }
        let Some(before) = at.checked_sub(1).and_then(|before| self.tokens.get(before)) else { return true };
        let begins = before.kind() == TokenKind::LBrace || self.ends_line(*before, self.tokens[at]);
        begins && self.kind(at + 1) == TokenKind::LParen && before.kind() != TokenKind::Comma
    }

    /// Whether a line ends between two tokens that follow one another.
    fn ends_line(&self, one: TokenRef<'_>, next: TokenRef<'_>) -> bool {
        let between = one.span().end as usize..next.span().start as usize;
        self.text.get(between).is_some_and(|between| between.contains(['\n', '\r']))
    }

    fn word(&mut self, at: usize, c: &mut Checker<'_>) {
        let token = self.tokens[at];
        let text = token.text();
        if text == "case" && self.kind(at + 1) != TokenKind::Int {
            self.in_case = true;
            self.locals.pass_again();
        }
        if text.starts_with("sparse_tensor.") || self.begins_old_operation(at) {
            let line = &self.tokens[at + 1..self.tokens.len().min(at + 12)];
            warn_operation(token, line, c);
        } else if text == "tensor.expand_shape" {
            warn_expansion(token, &self.tokens[at + 1..self.tokens.len().min(at + 64)], c);
        } else if matches!(text, "sparse" | "sparse_dim_map")
            && self.kind(at + 1) == TokenKind::Eq
            && self.kind(at + 2) == TokenKind::LBracket
        {
            self.silent_trait(token, c);
        } else if text == "memref" && self.kind(at + 1) == TokenKind::Lt {
            self.memref(at, c);
        }
    }

    /// Operations of other dialects that were renamed: `linalg.matmul_transpose_a`, `bufferization.to_memref`, `func @f`, `%0 = constant 1 : i32`.
    fn begins_old_operation(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or(TokenKind::Eof, |before| self.kind(before));
        match self.tokens[at].text() {
            "bufferization.to_memref" | "linalg.init_tensor" => true,
            "linalg.matmul_transpose_a" | "linalg.matmul_transpose_b" => true,
            text if text.starts_with("std.") => true,
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

    /// `memref<4xf64, #CSR>`: the encoding is in place of a layout, and MLIR ignores it.
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

    /// Another section has functions of its own.
    fn end_section(&mut self, c: &mut Checker<'_>) {
        self.locals.end(c);
        for token in self.called.drain(..) {
            c.record_use(token.span(), self.symbols.get(token.text()).copied());
        }
        self.symbols.clear();
        self.lists.clear();
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
