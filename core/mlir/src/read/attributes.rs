//! Attributes in the text.

use std::{ops::Range, sync::Arc};

use super::{
    MAX_DEPTH, Reader,
    registered::{is_registered, unknown_of_dialect, unregistered},
};
use crate::{
    attribute::{Attribute, Attributes},
    mistake::{Mistake, Read},
    types::Type,
};
use nnz_base::{
    diagnostic::{Code, did_you_mean},
    element::{Element, Scalar},
    source::Span,
};
use nnz_check::is_mlir_type;
use nnz_encoding::{Encoding, named};
use nnz_syntax::{TokenKind, TokenRef};

/// The value of an alias, and how many attributes within each other it may have, by the most that each text nests.
pub(super) struct Alias {
    value: Attribute,
    depth: usize,
}

/// Deeper aliases are refused rather than risking the stack.
const MAX_ALIAS_DEPTH: usize = 128 * MAX_DEPTH;

impl Reader<'_> {
    /// `#name = value`
    pub(super) fn attribute_alias(&mut self) -> Read<()> {
        let name = self.text();
        self.bump();
        self.broken.insert(name);
        self.expect(TokenKind::Eq)?;
        self.deepest = MAX_DEPTH;
        let value = self.attribute()?;
        self.broken.remove(name);
        self.attribute_aliases.insert(name, Alias { value, depth: self.deepest });
        Ok(())
    }

    /// The attribute of an alias, unless aliases that name others nest too deep.
    fn aliased(&mut self, name: &str, span: Span) -> Option<Read<Attribute>> {
        let alias = self.attribute_aliases.get(name)?;
        self.deepest = self.deepest.max(alias.depth + MAX_DEPTH);
        if self.deepest > MAX_ALIAS_DEPTH {
            return Some(Err(Mistake::syntax(span, "nested too deeply").label("aliases that name aliases")));
        }
        Some(Ok(alias.value.clone()))
    }

    /// # Errors
    /// No attribute.
    pub fn attribute(&mut self) -> Read<Attribute> {
        self.nested(Self::attribute_here)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn attribute_here(&mut self) -> Read<Attribute> {
        match self.peek() {
            TokenKind::String => self.typed_text(),
            TokenKind::Int | TokenKind::Float | TokenKind::Minus => self.number(),
            TokenKind::LBracket => self
                .bracketed(TokenKind::LBracket, TokenKind::RBracket, Self::attribute)
                .map(|items| Attribute::Array(items.into())),
            TokenKind::LBrace => self.dictionary().map(|items| Attribute::Dictionary(Arc::new(items))),
            TokenKind::AtId => {
                let name = self.text().trim_start_matches('@').to_string();
                self.bump();
                // `@module::@name`
                while self.eat(TokenKind::ColonColon) {
                    self.word_of(TokenKind::AtId, "a name, `@name`")?;
                }
                Ok(Attribute::Symbol(name))
            }
            TokenKind::HashId => self.alias_or_dialect(),
            TokenKind::Ident => self.word_attribute(),
            TokenKind::LParen => match self.bare_map() {
                Some(mistake) => Err(mistake),
                None => self.ty().map(Attribute::Type),
            },
            TokenKind::BangId => self.ty().map(Attribute::Type),
            _ => Err(self.expected("an attribute")),
        }
    }

    /// `"text"` or `"text" : T`
    fn typed_text(&mut self) -> Read<Attribute> {
        let text = self.string()?;
        if self.eat(TokenKind::Colon) {
            self.ty()?;
        }
        Ok(Attribute::Text(text))
    }

    /// `distinct[0]<attribute>`, which counts as the attribute in it.
    fn distinct(&mut self) -> Read<Attribute> {
        self.bump();
        self.skip_group();
        self.expect(TokenKind::Lt)?;
        let held = if self.at(TokenKind::Gt) { Attribute::Unit } else { self.attribute()? };
        self.expect(TokenKind::Gt)?;
        Ok(held)
    }

    fn alias_or_dialect(&mut self) -> Read<Attribute> {
        let (name, span) = (self.text(), self.span());
        self.bump();
        if let Some(attribute) = self.aliased(name, span) {
            return attribute;
        }
        if self.at(TokenKind::Lt) && self.joined() {
            let body = self.angles()?;
            self.of_dialect(name, span, span.cover(self.last_span()))?;
            let known = self.checked.encoding_starting_at(span.start);
            return Ok(match known.and_then(|site| site.encoding.clone()) {
                Some(encoding) => Attribute::Encoding(encoding),
                None => Attribute::Word(format!("{name}<{body}>")),
            });
        }
        if name.contains('.') {
            self.of_dialect(name, span, span.cover(self.last_span()))?;
            return Ok(Attribute::Word(name.to_string()));
        }
        // Perhaps it was defined without its sign.
        if self.broken.contains(name) || self.broken.contains(name.trim_start_matches('#')) {
            return Err(Mistake::told());
        }
        Err(Mistake::new(Code::UnknownAlias, span, format!("`{name}` is not defined")).label("no such alias"))
    }

    /// # Errors
    /// A name of a dialect that there is not, or one that its dialect has not.
    pub(super) fn of_dialect(&self, name: &str, span: Span, whole: Span) -> Read<()> {
        if self.checked.errors_in(span) > 0 {
            return Err(Mistake::told());
        }
        if is_registered(name) {
            return unknown_of_dialect("attribute", name, span).map_or(Ok(()), Err);
        }
        Err(unregistered("attribute", span, self.checked.source.slice(whole)))
    }

    /// An encoding: its name, or `<{ map = ... }>`, as a printer with local scope writes it.
    ///
    /// # Errors
    /// Anything else.
    pub fn encoding(&mut self) -> Read<Arc<Encoding>> {
        let span = self.span();
        if self.at(TokenKind::Lt) {
            return self.encoding_in_place();
        }
        if let Attribute::Encoding(encoding) = self.attribute()? {
            return Ok(encoding);
        }
        if self.checked.names_broken_encoding(span) {
            return Err(Mistake::told());
        }
        Err(Mistake::syntax(span, "an encoding is wanted here").help("it has a name, as in `#CSR = ...`"))
    }

    /// `<{ map = ... }>`, as the check has understood it. The check has reported its mistakes.
    fn encoding_in_place(&mut self) -> Read<Arc<Encoding>> {
        let span = self.span();
        self.angles()?;
        match self.checked.encoding_starting_at(span.start) {
            Some(site) => site.encoding.clone().ok_or_else(Mistake::told),
            None => Err(Mistake::syntax(span, "an encoding is wanted here")),
        }
    }

    /// `(i, j) -> (j, i)`, a map without `affine_map<...>` around it.
    fn bare_map(&self) -> Option<Mistake> {
        let behind = self.tokens.get(self.at..)?;
        let close =
            |from: usize| Some(from + behind.get(from..)?.iter().position(|token| token.kind() == TokenKind::RParen)?);
        let first = close(0)?;
        let dimensions = behind.get(1..first)?;
        let arrow =
            behind.get(first + 1)?.kind() == TokenKind::Arrow && behind.get(first + 2)?.kind() == TokenKind::LParen;
        if !arrow || !are_names(dimensions) {
            return None;
        }
        let whole = self.span().cover(behind.get(close(first + 2)?)?.span());
        let mistake = Mistake::syntax(whole, "a map among attributes is written `affine_map<...>`");
        let map = self.checked.source.slice(whole);
        Some(mistake.label("a map alone").fix("write `affine_map<...>`", whole, format!("affine_map<{map}>")))
    }

    fn word_attribute(&mut self) -> Read<Attribute> {
        match self.text() {
            "true" | "false" => {
                let truth = self.text() == "true";
                self.bump();
                match self.at(TokenKind::Colon) {
                    true => {
                        let mistake = Mistake::syntax(self.span(), "`true` and `false` are `i1`, and say no type");
                        Err(mistake.label("no type stands here"))
                    }
                    false => Ok(Attribute::Bool(truth)),
                }
            }
            "unit" => {
                self.bump();
                Ok(Attribute::Unit)
            }
            "dense" | "sparse" if self.nth(1) == TokenKind::Lt => self.constant(),
            "dense" | "sparse" if self.nth(1) == TokenKind::LParen => Err(self.constant_in_parentheses()),
            "dense" | "sparse" if self.at_bare_entries() => Err(self.constant_without_angles()),
            "distinct" if self.nth(1) == TokenKind::LBracket => self.distinct(),
            "loc" if self.nth(1) == TokenKind::LParen => {
                self.bump();
                self.skip_group();
                Ok(Attribute::Word("loc".to_string()))
            }
            "affine_map" => self.affine_map(),
            "array" => self.typed_array(),
            "strided" if self.nth(1) == TokenKind::Lt => self.strided().map(Attribute::Strided),
            "tensor" | "memref" | "vector" | "complex" => self.ty().map(Attribute::Type),
            word if Element::parse(word).is_some() => self.ty().map(Attribute::Type),
            word => {
                let span = self.span();
                self.bump();
                if self.at(TokenKind::Lt) && self.joined() {
                    let body = self.angles()?;
                    let text = format!("{word}<{body}>");
                    return if OF_WORDS.contains(&word) {
                        Ok(Attribute::Word(text))
                    } else {
                        Err(no_attribute(word, span))
                    };
                }
                if is_mlir_type(word) { Ok(Attribute::Word(word.to_string())) } else { Err(no_attribute(word, span)) }
            }
        }
    }

    fn at_bare_entries(&self) -> bool {
        let begins = [TokenKind::LBracket, TokenKind::Int, TokenKind::Float, TokenKind::Minus, TokenKind::String];
        begins.contains(&self.nth(1)) && !self.line_begins_at(self.at + 1)
    }

    /// `dense [1.0, 2.0]`
    fn constant_without_angles(&mut self) -> Mistake {
        let (word, start) = (self.text(), self.span());
        self.bump();
        let first = self.span();
        while !self.at_end() && !self.begins_line() && !self.at(TokenKind::Colon) && !self.at(TokenKind::RBrace) {
            self.skip_group();
        }
        let entries = self.checked.source.slice(first.cover(self.last_span()));
        let written = format!("{word}<{entries}>");
        let whole = start.cover(self.last_span());
        let mistake = Mistake::syntax(first, format!("the entries of a constant stand in `{word}<...>`"));
        let mistake = mistake.label("not in `<...>`");
        mistake.fix(format!("write `{word}<...>`"), whole, written)
    }

    /// `dense(2.0)`
    fn constant_in_parentheses(&mut self) -> Mistake {
        let (word, start) = (self.text(), self.span());
        self.bump();
        self.skip_group();
        let span = start.cover(self.last_span());
        let inside = self.checked.source.slice(span).trim_start_matches(word).trim();
        let mistake = Mistake::syntax(span, format!("the entries of a constant stand in `{word}<...>`"));
        let mistake = mistake.label("in parentheses");
        match inside.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            Some(entries) => mistake.fix(format!("write `{word}<...>`"), span, format!("{word}<{entries}>")),
            None => mistake,
        }
    }

    /// `affine_map<(i, j)[s] -> (j, i + s)>`, as the check has understood it. The check has reported its mistakes.
    fn affine_map(&mut self) -> Read<Attribute> {
        let site = self.checked.affine_map_starting_at(self.span().start);
        self.bump();
        let Some(site) = site else { return Err(self.expected(TokenKind::Lt.describe())) };
        while !self.at_end() && self.span().start < site.span.end {
            self.bump();
        }
        Ok(site.map.clone().map_or(Attribute::Broken, Attribute::Map))
    }

    /// `array<i64: 1, 2>`
    fn typed_array(&mut self) -> Read<Attribute> {
        self.bump();
        self.expect(TokenKind::Lt)?;
        let element = self.element_type()?;
        let items = if self.eat(TokenKind::Colon) { self.separated(Self::attribute)? } else { Vec::new() };
        self.expect(TokenKind::Gt)?;
        let typed = |item| {
            let Attribute::Number(number, None) = item else { return item };
            Attribute::Number(number, Some(Type::Scalar(element)))
        };
        Ok(Attribute::Array(items.into_iter().map(typed).collect()))
    }

    /// A text in quotes, its escapes resolved.
    ///
    /// # Errors
    /// Another token; quotes that are not closed; an escape that MLIR does not have.
    pub fn string(&mut self) -> Read<String> {
        let span = self.span();
        let text = self.word_of(TokenKind::String, "a text in quotes")?;
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).filter(|_| text.len() > 1);
        let inner = inner.ok_or_else(|| Mistake::syntax(span, "this text is never closed: `\"` is missing"))?;
        unescaped(inner).map_err(|at| {
            let place = Span::new(span.start as usize + 1 + at.start, span.start as usize + 1 + at.end);
            let written = inner.get(at).unwrap_or("\\");
            let mistake = Mistake::syntax(place, format!("there is no escape `{written}`")).label("not an escape");
            mistake.help("a text has `\\n`, `\\t`, `\\\"`, `\\\\` and bytes as two hexadecimal digits, `\\0A`")
        })
    }

    /// `-1.5 : f32`
    fn number(&mut self) -> Read<Attribute> {
        let (start, negative) = (self.span(), self.eat(TokenKind::Minus));
        let (text, kind) = (self.text(), self.peek());
        if !matches!(kind, TokenKind::Int | TokenKind::Float) {
            return Err(self.expected("a number"));
        }
        self.bump();
        let span = start.cover(self.last_span());
        self.no_bare_type()?;
        let ty = if self.eat(TokenKind::Colon) { Some(self.ty()?) } else { None };
        let element = ty.as_ref().and_then(Type::element);
        let scalar = super::numbers::number(text, negative, element, span)?;
        Ok(Attribute::Number(scalar, ty))
    }

    /// A type behind a number, without its `:`.
    fn no_bare_type(&self) -> Read<()> {
        let shaped = matches!(self.text(), "tensor" | "memref" | "vector") && self.nth(1) == TokenKind::Lt;
        let ty = self.at(TokenKind::Ident) && (shaped || Element::parse(self.text()).is_some());
        if !ty || self.begins_line() {
            return Ok(());
        }
        let behind = Span::at(self.last_span().end as usize);
        let mistake = self.expected("`:` in front of the type").label("a `:` is missing before this");
        Err(mistake.fix("insert `:`", behind, " :"))
    }

    /// `{a = 1, b, "c" = 2}`
    ///
    /// # Errors
    /// Text that is not such a list.
    pub fn dictionary(&mut self) -> Read<Attributes> {
        let items = self.nested(|r| r.bracketed(TokenKind::LBrace, TokenKind::RBrace, Self::named_attribute))?;
        let mut attributes = Attributes::default();
        for NamedAttribute { name, key, value, span, items } in items {
            if attributes.get(&name).is_some() {
                return Err(Mistake::syntax(key, format!("`{name}` is written twice")).label("a second time"));
            }
            attributes.set_items(name, value, span, items);
        }
        Ok(attributes)
    }

    /// With the place of the value; of a mere name, its own.
    fn named_attribute(&mut self) -> Read<NamedAttribute> {
        let key = self.span();
        let name = if self.peek() == TokenKind::String {
            self.string()?
        } else {
            self.word_of(TokenKind::Ident, "an attribute's name")?.to_string()
        };
        if !self.eat(TokenKind::Eq) {
            return Ok(NamedAttribute { name, key, value: Attribute::Unit, span: key, items: Vec::new() });
        }
        let start = self.span();
        let (value, items) =
            if name == "iterator_types" { self.kinds_of_loops()? } else { self.attribute_and_items()? };
        Ok(NamedAttribute { name, key, value, span: start.cover(self.last_span()), items })
    }

    /// An attribute, and the places of its items if it is a list.
    ///
    /// # Errors
    /// As [`Reader::attribute`].
    pub(crate) fn attribute_and_items(&mut self) -> Read<(Attribute, Vec<Span>)> {
        self.and_items(Self::attribute)
    }

    /// As [`Reader::attribute_and_items`], for words with quotes or without; the kernel's check reports wrong ones.
    fn kinds_of_loops(&mut self) -> Read<(Attribute, Vec<Span>)> {
        self.and_items(|r| match (r.peek(), r.nth(1)) {
            (TokenKind::Ident, TokenKind::Comma | TokenKind::RBracket) => {
                r.word_of(TokenKind::Ident, "a kind of loop").map(|word| Attribute::Word(word.to_string()))
            }
            _ => r.attribute(),
        })
    }

    fn and_items(&mut self, item: fn(&mut Self) -> Read<Attribute>) -> Read<(Attribute, Vec<Span>)> {
        if !self.at(TokenKind::LBracket) {
            return Ok((self.attribute()?, Vec::new()));
        }
        let items = self.nested(|r| {
            r.bracketed(TokenKind::LBracket, TokenKind::RBracket, |r| {
                let start = r.span();
                Ok((item(r)?, start.cover(r.last_span())))
            })
        })?;
        let (items, spans): (Vec<_>, _) = items.into_iter().unzip();
        Ok((Attribute::Array(items.into()), spans))
    }

    /// `{...}` or nothing.
    ///
    /// # Errors
    /// As [`Reader::dictionary`].
    pub(crate) fn optional_dictionary(&mut self) -> Read<Attributes> {
        if self.at(TokenKind::LBrace) { self.dictionary() } else { Ok(Attributes::default()) }
    }

    /// A whole number without a type.
    ///
    /// # Errors
    /// Anything else.
    pub fn integer(&mut self) -> Read<i128> {
        let (start, negative) = (self.span(), self.eat(TokenKind::Minus));
        let text = self.word_of(TokenKind::Int, "a whole number")?;
        if let Scalar::Int(number) = super::numbers::number(text, negative, None, start.cover(self.last_span()))? {
            Ok(number)
        } else {
            Err(Mistake::syntax(start, "a whole number is wanted here"))
        }
    }
}

/// Whether these are the dimensions of a map, and not the types of a function.
fn are_names(tokens: &[TokenRef<'_>]) -> bool {
    let is_type = |word: &str| is_mlir_type(word) || Element::parse(word).is_some();
    let mut words = tokens.iter().filter(|token| token.kind() != TokenKind::Comma).peekable();
    words.peek().is_some() && words.all(|token| token.kind() == TokenKind::Ident && !is_type(token.text()))
}

/// The attributes that are a word and `<...>`, and which nnz does not look into.
const OF_WORDS: &[&str] = &["affine_set", "dense_resource", "tuple"];

/// A word without quotes, which is neither an attribute nor a type.
fn no_attribute(word: &str, span: Span) -> Mistake {
    let mistake = Mistake::syntax(span, format!("`{word}` is no attribute")).label("no attribute");
    if let Ok(encoding) = named::lookup(word, &[], None) {
        let written = encoding.canonical().to_string();
        return mistake.fix("write the encoding of this format", span, written);
    }
    if let Some(near) = did_you_mean(word, ["affine_map", "affine_set", "dense", "sparse", "array", "strided", "unit"])
    {
        return mistake.guess(span, near);
    }
    mistake.help(format!("a text stands in quotes, `\"{word}\"`; an alias begins with `#`"))
}

/// `name = value`, with the places of the value and of a list's items.
struct NamedAttribute {
    name: String,
    /// The place of the name.
    key: Span,
    value: Attribute,
    span: Span,
    items: Vec<Span>,
}

/// The escapes of MLIR's strings: `\n`, `\t`, `\"`, `\\` and two hexadecimal digits. An error is the place of another one.
fn unescaped(text: &str) -> Result<String, Range<usize>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let at = text.len() - rest.len();
        rest = behind;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let (escaped, used) = escape(rest).ok_or_else(|| {
            let next = text.get(at + 1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            at..at + 1 + next
        })?;
        out.push(escaped);
        rest = &rest[used..];
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// The byte that stands for an escape, and how long it is.
fn escape(rest: &[u8]) -> Option<(u8, usize)> {
    let hex = |at: usize| rest.get(at).and_then(|&byte| (byte as char).to_digit(16));
    match rest.first()? {
        b'n' => Some((b'\n', 1)),
        b't' => Some((b'\t', 1)),
        &byte @ (b'"' | b'\\') => Some((byte, 1)),
        _ => hex(0).zip(hex(1)).map(|(high, low)| ((high * 16 + low) as u8, 2)),
    }
}
