//! Nested modules. Each has its own symbol table, and a call sees only the names of the innermost.

use super::Reader;
use crate::mistake::Mistake;
use nnz_base::diagnostic::Code;
use nnz_syntax::{TokenKind, TokenRef};

/// The tables that are open at a token. That of the file is number 0.
#[derive(Default)]
pub(super) struct Tables {
    /// The numbers of those of modules, the innermost last, and how many braces were open behind the module's own.
    open: Vec<(usize, usize)>,
    /// How many modules there have been.
    count: usize,
    /// How many braces are open.
    braces: usize,
    /// The head of a module has begun.
    head: bool,
}

impl Tables {
    /// How many braces are open at the functions of the innermost module.
    fn level(&self) -> usize {
        self.open.last().map_or(0, |(_, braces)| *braces)
    }

    fn innermost(&self) -> usize {
        self.open.last().map_or(0, |(table, _)| *table)
    }

    /// The table of the item that begins here, ignoring braces that earlier items have left open.
    fn of_item(&mut self) -> usize {
        (self.braces, self.head) = (self.level(), false);
        self.innermost()
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn pass(&mut self, token: TokenRef<'_>, before: Option<&TokenRef<'_>>) {
        let outermost = self.braces == self.level();
        match token.kind() {
            TokenKind::Ident if outermost && !self.head => self.head = is_module(token.text()),
            TokenKind::String if outermost && !self.head => self.head = token.text() == "\"builtin.module\"",
            TokenKind::LBrace => {
                self.braces += 1;
                if self.head && outermost && !before.is_some_and(begins_attributes) {
                    self.count += 1;
                    self.open.push((self.count, self.braces));
                    self.head = false;
                }
            }
            TokenKind::RBrace => {
                self.braces = self.braces.saturating_sub(1);
                if self.braces < self.level() {
                    self.open.pop();
                }
            }
            _ => {}
        }
    }
}

fn is_module(word: &str) -> bool {
    matches!(word, "module" | "builtin.module")
}

/// After it the braces of a module's head hold attributes: `attributes {`, `<{`.
fn begins_attributes(token: &TokenRef<'_>) -> bool {
    token.kind() == TokenKind::Lt || token.text() == "attributes"
}

impl Reader<'_> {
    /// Finds where aliases and functions begin, and the tables that they are in.
    pub(super) fn find_items(&mut self) {
        let mut tables = Tables::default();
        for at in 0..self.tokens.len() {
            if self.begins_item(at) {
                self.items.push(at);
                self.tables.push(tables.of_item());
            }
            let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
            let within_head = tables.head;
            tables.pass(self.tokens[at], before);
            if tables.head && !within_head {
                self.tables_of_modules.push((at, tables.innermost()));
            }
        }
    }

    /// The table of the module that begins here, with the symbols beside it.
    pub(super) fn table_of_module(&self) -> usize {
        let found = self.tables_of_modules.binary_search_by_key(&self.at, |(head, _)| *head);
        found.ok().and_then(|module| self.tables_of_modules.get(module)).map_or(0, |(_, table)| *table)
    }

    /// At the name of a module, which nothing else in its table may have.
    pub(super) fn define_module(&mut self, table: usize) {
        let (name, span) = (self.text().trim_start_matches('@'), self.span());
        let function = self.functions.get(&(table, name.to_string())).map(|(_, first)| *first);
        if let Some(first) = self.modules.insert((table, name), span).or(function) {
            let mistake = Mistake::new(Code::RedefinedValue, span, format!("`@{name}` is defined twice"));
            self.report(mistake.label("the name of this module").secondary(first, "defined here, too"));
        }
    }

    /// The table of the function that begins here.
    pub(super) fn table(&self) -> usize {
        self.items.binary_search(&self.at).ok().and_then(|item| self.tables.get(item)).copied().unwrap_or(0)
    }
}
