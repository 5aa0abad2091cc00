//! `textDocument/completion`, for editors and the REPL alike. It looks at the tokens before the
//! cursor, not at the tree, so that it works in the middle of a broken text.

mod schedule;
mod session;

use super::words::{self, Word};
use nnz_base::source::Span;
use nnz_check::{
    Checked, DefinitionKind, Grammar,
    scope::{Meaning, PartialType, Scope},
};
use nnz_encoding::Encoding;
use nnz_syntax::{TokenKind, Tree};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    Format,
    Property,
    Key,
    Encoding,
    Variable,
    Function,
    Command,
    Keyword,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub label: String,
    /// The text that replaces `replace`.
    pub insert: String,
    /// One line.
    pub detail: String,
    pub kind: CompletionKind,
    pub replace: Span,
}

/// The completions at `offset`, best first, filtered by the start of the word there.
pub fn complete(checked: &Checked, offset: usize) -> Vec<Completion> {
    complete_within(checked, &Scope::default(), offset)
}

/// As [`complete`], where the names of `scope` are known besides those of the text.
pub fn complete_within(checked: &Checked, scope: &Scope, offset: usize) -> Vec<Completion> {
    if in_prose(&checked.tree, offset) {
        return Vec::new();
    }
    let cursor = Cursor::new(&checked.tree, offset);
    let items = cursor.items(&Known { checked, scope });
    items.into_iter().filter(|item| item.insert.starts_with(&cursor.prefix)).collect()
}

/// Behind the `//` of a comment or the opening quote of a string, where nothing of the language stands.
fn in_prose(tree: &Tree, offset: usize) -> bool {
    let Some(token) = offset.checked_sub(1).and_then(|at| tree.token_at(at)) else { return false };
    let closed = token.span().end as usize == offset && token.text().len() > 1 && token.text().ends_with('"');
    let in_comment = token.kind() == TokenKind::Comment && token.span().start as usize + 1 < offset;
    in_comment || token.kind() == TokenKind::String && !closed
}

/// The names that a text can use: its own, and those of earlier statements.
struct Known<'a> {
    checked: &'a Checked,
    scope: &'a Scope,
}

impl<'a> Known<'a> {
    fn encodings(&self) -> impl Iterator<Item = (&'a str, &'a Encoding)> {
        let earlier = self.scope.iter().filter_map(|(name, meaning)| {
            if let Meaning::Encoding(encoding) = meaning { Some((name, &**encoding)) } else { None }
        });
        self.definitions().filter_map(|(name, kind)| Some((name, kind.encoding()?))).chain(earlier)
    }

    /// Tensors and scalars, each with its type.
    fn values(&self) -> impl Iterator<Item = (&'a str, String)> {
        let earlier = self.scope.iter().filter_map(|(name, meaning)| match meaning {
            Meaning::Tensor(ty) => Some((name, ty.to_string())),
            Meaning::Scalar(element) => Some((name, element.to_string())),
            Meaning::Encoding(_) | Meaning::Broken => None,
        });
        let own = self.definitions().filter_map(|(name, kind)| match kind {
            DefinitionKind::Tensor(ty) => Some((name, ty.as_ref().map(PartialType::to_string)?)),
            DefinitionKind::Scalar(element) => Some((name, element.as_ref()?.to_string())),
            DefinitionKind::Encoding(_) | DefinitionKind::Attribute | DefinitionKind::Type(_) => None,
            DefinitionKind::Value | DefinitionKind::Function | DefinitionKind::Block => None,
            DefinitionKind::MapVariable(_) => None,
        });
        own.chain(earlier)
    }

    /// The names of tensors and scalars.
    fn value_names(&self) -> impl Iterator<Item = &'a str> {
        let is_value = |kind: &DefinitionKind| matches!(kind, DefinitionKind::Tensor(_) | DefinitionKind::Scalar(_));
        let own = self.definitions().filter(move |(_, kind)| is_value(kind)).map(|(name, _)| name);
        let earlier =
            self.scope.iter().filter(|(_, meaning)| matches!(meaning, Meaning::Tensor(_) | Meaning::Scalar(_)));
        own.chain(earlier.map(|(name, _)| name))
    }

    fn definitions(&self) -> impl Iterator<Item = (&'a str, &'a DefinitionKind)> {
        let checked = self.checked;
        checked.symbols.definitions.iter().map(|definition| (checked.source.slice(definition.name), &definition.kind))
    }
}

/// A token before the cursor.
#[derive(Clone)]
struct Before {
    kind: TokenKind,
    text: String,
    span: Span,
}

struct Cursor {
    /// The part of the current word that stands before the cursor.
    prefix: String,
    replace: Span,
    /// Tokens of the surroundings before that word, nearest last.
    before: Vec<Before>,
    /// Where the line of the cursor starts.
    line_start: u32,
}

/// As far back as completion looks; an encoding is far shorter.
const LOOK_BACK: usize = 400;

impl Cursor {
    fn new(tree: &Tree, offset: usize) -> Cursor {
        let offset = Span::at(offset).sanitized(tree.text()).start as usize;
        let mut before = tokens_before(tree, offset);
        let is_word = |b: &Before| {
            use TokenKind::{At, AtId, Hash, HashId, Ident};
            matches!(b.kind, Ident | HashId | Hash | AtId | At) && b.span.touches(offset)
        };
        let word = before.pop_if(|last| is_word(last));
        let start = word.as_ref().map_or(offset, |word| word.span.start as usize);
        let end = word.as_ref().map_or(offset, |word| (word.span.end as usize).max(offset));
        let prefix = tree.text().get(start..offset).unwrap_or_default().to_string();
        let line_start = tree.text()[..start].rfind(['\n', '\r']).map_or(0, |at| at as u32 + 1);
        Cursor { prefix, replace: Span::new(start, end), before, line_start }
    }

    fn items(&self, known: &Known<'_>) -> Vec<Completion> {
        let within = self.enclosing();
        if let Some(body) = within.iter().find(|b| self.opens_encoding(**b)) {
            return self.in_encoding(known, within[0], *body);
        }
        if self.prefix.starts_with('#') || self.in_type_arguments() {
            return self.aliases(known);
        }
        match known.checked.grammar {
            Grammar::Mlir => Vec::new(),
            Grammar::Notation => self.in_session(known),
        }
    }

    /// Indices of the brackets that are open at the cursor, innermost first.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn enclosing(&self) -> Vec<usize> {
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

    /// The bracket at `at` is the brace of `encoding<{`.
    fn opens_encoding(&self, at: usize) -> bool {
        let before = |n: usize| at.checked_sub(n).and_then(|at| self.before.get(at));
        self.before[at].kind == TokenKind::LBrace
            && before(1).is_some_and(|b| b.kind == TokenKind::Lt)
            && before(2).is_some_and(|b| b.text.ends_with("encoding"))
    }

    fn last(&self) -> Option<&Before> {
        self.before.last()
    }
    fn last_is(&self, kinds: &[TokenKind]) -> bool {
        self.last().is_some_and(|last| kinds.contains(&last.kind))
    }
    fn text_before(&self, at: usize) -> Option<&Before> {
        self.before.get(at.checked_sub(1)?)
    }

    /// Inside an encoding whose brace is `body`, where `open` is the innermost open bracket.
    fn in_encoding(&self, known: &Known<'_>, open: usize, body: usize) -> Vec<Completion> {
        let opener = self.text_before(open);
        if open == body {
            return self.keys(body);
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
        let item =
            |word: &Word| Completion { insert: format!("{} = ", word.name), ..self.word(word, CompletionKind::Key) };
        words::KEYS.iter().filter(given).map(item).collect()
    }

    fn in_levels(&self, known: &Known<'_>, body: usize) -> Vec<Completion> {
        if self.last_is(&[TokenKind::Colon]) {
            let of_nnz = known.checked.grammar == Grammar::Notation;
            let legal =
                words::FORMATS.iter().filter(|word| of_nnz || nnz_syntax::encoding::LEVEL_FORMATS.contains(&word.name));
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
        let mut names: Vec<&str> = head.filter(|b| b.kind == TokenKind::Ident).map(|b| b.text.as_str()).collect();
        names.dedup();
        names.iter().map(|name| self.item(name, "a variable of this map", CompletionKind::Variable)).collect()
    }

    fn properties(&self, format: &str, open: usize) -> Vec<Completion> {
        let legal = words::properties_of(format).iter().filter_map(|name| words::find(words::PROPERTIES, name));
        let given = |word: &&Word| !self.before[open..].iter().any(|b| b.text == word.name);
        legal.filter(given).map(|word| self.word(word, CompletionKind::Property)).collect()
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

    fn aliases(&self, known: &Known<'_>) -> Vec<Completion> {
        let alias = |(name, encoding)| self.item(name, &words::map_text(encoding), CompletionKind::Encoding);
        known.encodings().map(alias).collect()
    }

    fn word(&self, word: &Word, kind: CompletionKind) -> Completion {
        self.item(word.name, word.summary, kind)
    }
    fn item(&self, label: &str, detail: &str, kind: CompletionKind) -> Completion {
        Completion {
            label: label.to_string(),
            insert: label.to_string(),
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
