//! The place of the cursor: the word that is typed, and the tokens before it.

use nnz_base::source::Span;
use nnz_check::Grammar;
use nnz_syntax::{TokenKind, Tree};

use super::{Completion, CompletionKind, Known};
use crate::words::Word;

/// A token before the cursor.
#[derive(Clone)]
pub(super) struct Before {
    pub(super) kind: TokenKind,
    pub(super) text: String,
    pub(super) span: Span,
}

pub(super) struct Cursor {
    /// The part of the current word before the cursor.
    pub(super) prefix: String,
    pub(super) replace: Span,
    /// Tokens of the surroundings before that word, nearest last.
    pub(super) before: Vec<Before>,
    /// Where the line of the cursor starts.
    pub(super) line_start: u32,
}

/// As far back as completion looks; an encoding is far shorter.
const LOOK_BACK: usize = 400;

impl Cursor {
    pub(super) fn new(tree: &Tree, offset: usize) -> Cursor {
        let offset = Span::at(offset).sanitized(tree.text()).start as usize;
        let mut before = tokens_before(tree, offset);
        let is_word = |b: &Before| {
            use TokenKind::{At, AtId, Bang, BangId, Hash, HashId, Ident, Percent, PercentId};
            let is_name = matches!(b.kind, Ident | HashId | Hash | AtId | At | Bang | BangId | Percent | PercentId);
            is_name && b.span.touches(offset)
        };
        let word = before.pop_if(|last| is_word(last));
        let start = word.as_ref().map_or(offset, |word| word.span.start as usize);
        let end = word.as_ref().map_or(offset, |word| (word.span.end as usize).max(offset));
        let prefix = tree.text().get(start..offset).unwrap_or_default().to_string();
        let line_start = tree.text()[..start].rfind(['\n', '\r']).map_or(0, |at| at as u32 + 1);
        Cursor { prefix, replace: Span::new(start, end), before, line_start }
    }

    pub(super) fn items(&self, known: &Known<'_>) -> Vec<Completion> {
        let within = self.enclosing();
        if let Some(body) = within.iter().find(|b| self.opens_encoding(**b)) {
            return self.in_encoding(known, within[0], *body);
        }
        if self.defines_alias() {
            return self.values_of_alias(known);
        }
        if self.in_type_arguments() {
            return self.encodings_of_type(known);
        }
        if self.prefix.starts_with('#') {
            return self.attribute_aliases(known).into_iter().chain(self.aliases(known)).collect();
        }
        match known.checked.grammar {
            Grammar::Mlir => self.in_program(known, within.first().copied()),
            Grammar::Notation => self.in_session(known),
        }
    }

    /// Indices of the brackets that are open at the cursor, innermost first.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    pub(super) fn enclosing(&self) -> Vec<usize> {
        let mut closed = 0;
        let mut open = Vec::new();
        for (at, token) in self.before.iter().enumerate().rev() {
            match token.kind {
                TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket => closed += 1,
                TokenKind::LParen | TokenKind::LBrace | TokenKind::LBracket if closed > 0 => closed -= 1,
                TokenKind::LParen | TokenKind::LBrace | TokenKind::LBracket => open.push(at),
                _ => {}
            }
        }
        open
    }

    pub(super) fn last(&self) -> Option<&Before> {
        self.before.last()
    }
    pub(super) fn last_is(&self, kinds: &[TokenKind]) -> bool {
        self.last().is_some_and(|last| kinds.contains(&last.kind))
    }
    pub(super) fn text_before(&self, at: usize) -> Option<&Before> {
        self.before.get(at.checked_sub(1)?)
    }

    /// After a comma or `<` of `tensor<8x8xf64, `.
    fn in_type_arguments(&self) -> bool {
        let opened = self.before.iter().rev().find(|b| matches!(b.kind, TokenKind::Lt | TokenKind::Gt));
        let tensor = |at: usize| self.text_before(at).is_some_and(|b| b.text == "tensor");
        let open_at = self.before.iter().rposition(|b| b.kind == TokenKind::Lt);
        opened.is_some_and(|b| b.kind == TokenKind::Lt)
            && open_at.is_some_and(tensor)
            && self.last_is(&[TokenKind::Comma])
    }

    pub(super) fn word(&self, word: &Word, kind: CompletionKind) -> Completion {
        self.item(word.name, word.summary, kind)
    }
    pub(super) fn item(&self, label: &str, detail: &str, kind: CompletionKind) -> Completion {
        Completion {
            label: label.to_string(),
            insert: label.to_string(),
            snippet: None,
            filter: label.to_string(),
            detail: detail.to_string(),
            kind,
            replace: self.replace,
        }
    }
}

/// The last tokens that start before `offset` and are not trivia, in order.
fn tokens_before(tree: &Tree, offset: usize) -> Vec<Before> {
    let last = offset.checked_sub(1).and_then(|at| tree.token_at(at));
    let tokens = std::iter::successors(last, |token| token.previous());
    let kept = tokens.filter(|token| !token.kind().is_trivia()).take(LOOK_BACK);
    let mut before: Vec<Before> =
        kept.map(|token| Before { kind: token.kind(), text: token.text().to_string(), span: token.span() }).collect();
    before.reverse();
    before
}
