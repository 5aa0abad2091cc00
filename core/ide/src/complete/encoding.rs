//! Completion inside an encoding: keys, their values, level formats, properties, the variables of the map.

use nnz_check::Grammar;
use nnz_syntax::TokenKind;

use super::{
    Completion, CompletionKind, Known,
    cursor::{Before, Cursor},
};
use crate::words::{self, Word};

impl Cursor {
    /// The bracket at `at` is the brace of `encoding<{`.
    pub(super) fn opens_encoding(&self, at: usize) -> bool {
        let before = |n: usize| at.checked_sub(n).and_then(|at| self.before.get(at));
        self.before[at].kind == TokenKind::LBrace
            && before(1).is_some_and(|b| b.kind == TokenKind::Lt)
            && before(2).is_some_and(|b| b.text.ends_with("encoding"))
    }

    /// Inside an encoding whose brace is `body`, where `open` is the innermost open bracket.
    pub(super) fn in_encoding(&self, known: &Known<'_>, open: usize, body: usize) -> Vec<Completion> {
        let opener = self.text_before(open);
        if open == body {
            return if self.last_is(&[TokenKind::Eq]) { self.value_of_key(known) } else { self.keys(body) };
        }
        match opener {
            Some(b) if b.kind == TokenKind::Arrow => self.in_levels(known, body),
            Some(b) if words::find(&words::FORMATS, &b.text).is_some() => self.properties(&b.text, open),
            _ if self.prefix.starts_with('#') => self.aliases(known),
            _ => Vec::new(),
        }
    }

    fn keys(&self, body: usize) -> Vec<Completion> {
        if !self.last_is(&[TokenKind::LBrace, TokenKind::Comma]) {
            return Vec::new();
        }
        let given = |word: &&Word| !self.before[body..].iter().any(|b| b.text == word.name);
        let item = |word: &Word| self.word(word, CompletionKind::Key).inserting(format!("{} = ", word.name));
        words::KEYS.iter().filter(given).map(item).collect()
    }

    /// Behind `map = ` and `posWidth = `.
    fn value_of_key(&self, known: &Known<'_>) -> Vec<Completion> {
        let key = self.before.len().checked_sub(1).and_then(|at| self.text_before(at));
        let keyword = |text: &str, detail: &str| self.item(text, detail, CompletionKind::Keyword);
        match key.map(|key| key.text.as_str()) {
            Some("map") => self.maps(known),
            Some("posWidth" | "crdWidth") => {
                let bits = |bits: u32| keyword(&bits.to_string(), &format!("at most {}", u64::MAX >> (64 - bits)));
                [8, 16, 32, 64].map(bits).to_vec()
            }
            Some("explicitVal") => vec![keyword("1.0 : f64", "every stored value is 1")],
            Some("implicitVal") => vec![keyword("0.0 : f64", "absent entries are zero")],
            Some(_) | None => Vec::new(),
        }
    }

    fn in_levels(&self, known: &Known<'_>, body: usize) -> Vec<Completion> {
        if self.last_is(&[TokenKind::Colon]) {
            let of_nnz = known.checked.grammar == Grammar::Notation;
            let legal =
                words::FORMATS.iter().filter(|word| of_nnz || nnz_encoding::format::of_mlir().contains(&word.name));
            return legal.map(|word| self.word(word, CompletionKind::Format)).collect();
        }
        if self.last_is(&[TokenKind::Ident, TokenKind::RParen]) {
            return words::OPERATORS.iter().map(|word| self.word(word, CompletionKind::Keyword)).collect();
        }
        self.dimensions(body)
    }

    /// The names that the map whose body opens at `body` declares before its arrow.
    fn dimensions(&self, body: usize) -> Vec<Completion> {
        let map = self.before[body..].iter().skip_while(|b| b.text != "map").skip(1);
        let head = map.take_while(|b| b.kind != TokenKind::Arrow);
        let mut names: Vec<&str> =
            head.filter(|b: &&Before| b.kind == TokenKind::Ident).map(|b| b.text.as_str()).collect();
        names.dedup();
        names.iter().map(|name| self.item(name, "a variable of this map", CompletionKind::Variable)).collect()
    }

    fn properties(&self, format: &str, open: usize) -> Vec<Completion> {
        let legal = words::properties_of(format).iter().filter_map(|name| words::find(words::PROPERTIES, name));
        let given = |word: &&Word| !self.before[open..].iter().any(|b| b.text == word.name);
        legal.filter(given).map(|word| self.word(word, CompletionKind::Property)).collect()
    }
}
