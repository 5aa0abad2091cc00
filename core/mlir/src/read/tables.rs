//! Nested modules. Each has its own symbol table, and a call sees only the names of the innermost.

use super::Reader;
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

    /// The table of the item that begins here, ignoring braces that earlier items have left open.
    fn of_item(&mut self) -> usize {
        (self.braces, self.head) = (self.level(), false);
        self.open.last().map_or(0, |(table, _)| *table)
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
            tables.pass(self.tokens[at], before);
        }
    }

    /// The table of the function that begins here.
    pub(super) fn table(&self) -> usize {
        self.items.binary_search(&self.at).ok().and_then(|item| self.tables.get(item)).copied().unwrap_or(0)
    }
}
