//! Layouts of memrefs in the text.

use super::Reader;
use crate::{
    attribute::Attribute,
    layout::{Layout, Space, Strided},
    mistake::{Mistake, Read},
    types::Type,
};
use nnz_base::{
    diagnostic::counted,
    element::{Element, Scalar},
    source::Span,
};
use nnz_syntax::TokenKind;

impl Reader<'_> {
    /// What follows the elements of the memref that begins at `start` and has been read: a layout, unless it has no
    /// rank, and a memory space.
    pub(super) fn layout(&mut self, start: Span, rank: Option<usize>) -> Read<(Layout, Space)> {
        let end =
            std::mem::replace(&mut self.at, self.tokens.partition_point(|token| token.span().start < start.start));
        while self.at < end && !self.at(TokenKind::Comma) {
            self.bump();
        }
        let stated = if self.at < end { self.stated(rank)? } else { (Layout::Rows, Space::default()) };
        self.at = end;
        Ok(stated)
    }

    /// `, strided<[4, 1]>, 1>`
    fn stated(&mut self, rank: Option<usize>) -> Read<(Layout, Space)> {
        let (mut layout, mut space) = (None, None);
        while self.eat(TokenKind::Comma) {
            let start = self.span();
            let attribute = self.attribute()?;
            let span = start.cover(self.last_span());
            match layout_of(&attribute, rank, span)? {
                _ if space.is_some() => {
                    let message = "a memory space ends the type of a memref";
                    return Err(Mistake::syntax(span, message).label("behind the memory space"));
                }
                // The last one counts, as in MLIR.
                Some(stated) => layout = Some(stated),
                None => space = Some(self.space(&attribute, span)),
            }
        }
        self.expect(TokenKind::Gt)?;
        Ok((layout.unwrap_or_default(), space.unwrap_or_default()))
    }

    /// The number 0, of any type, is the usual memory.
    fn space(&self, attribute: &Attribute, span: Span) -> Space {
        let written = || self.checked.source.slice(span).to_string();
        let usual = |ty: &Option<Type>| matches!(ty, None | Some(Type::Scalar(Element::I64)));
        let text = match (attribute, attribute.as_text()) {
            (Attribute::Number(Scalar::Int(0), _), _) => return Space::default(),
            (Attribute::Broken, _) => return Space::default(),
            (Attribute::Number(Scalar::Int(number), ty), _) if usual(ty) => number.to_string(),
            (Attribute::Text(text), _) => format!("\"{text}\""),
            (_, Some(word)) => word.to_string(),
            (_, None) => written(),
        };
        Space(Some(text.into()))
    }

    /// `strided<[4, ?], offset: 2>`
    pub(super) fn strided(&mut self) -> Read<Strided> {
        self.bump();
        self.expect(TokenKind::Lt)?;
        let strides = self.bracketed(TokenKind::LBracket, TokenKind::RBracket, Self::number_or_open)?;
        let mut offset = Some(0);
        if self.eat(TokenKind::Comma) {
            self.expect_word("offset")?;
            self.expect(TokenKind::Colon)?;
            offset = self.number_or_open()?;
        }
        self.expect(TokenKind::Gt)?;
        Ok(Strided { strides, offset })
    }

    /// `4`, or `?`
    fn number_or_open(&mut self) -> Read<Option<i64>> {
        if self.eat(TokenKind::Question) {
            return Ok(None);
        }
        if !matches!(self.peek(), TokenKind::Int | TokenKind::Minus) {
            return Err(self.expected("a whole number or `?`"));
        }
        let span = self.span();
        let number = self.integer()?;
        match i64::try_from(number) {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(Mistake::syntax(span, format!("`{number}` has more than 64 bits")).label("too large")),
        }
    }
}

/// The layout that an attribute states, which a memref of this rank can have; `None` if it states none.
fn layout_of(attribute: &Attribute, rank: Option<usize>, span: Span) -> Read<Option<Layout>> {
    let (layout, found, what) = if let Attribute::Strided(strided) = attribute {
        (Layout::Strided(strided.clone()), strided.strides.len(), "stride")
    } else if let Some(map) = attribute.as_map() {
        (Layout::of_map(map), map.dims, "dimension")
    } else {
        return Ok(None);
    };
    let Some(rank) = rank else {
        return Err(Mistake::syntax(span, "a memref without a rank has no layout").label("a layout"));
    };
    fits(rank, found, what, span).map(|()| Some(layout))
}

/// A layout of as many dimensions as the memref.
fn fits(rank: usize, found: usize, what: &str, span: Span) -> Read<()> {
    if rank == found {
        return Ok(());
    }
    let (has, given) = (counted(rank, "dimension"), counted(found, what));
    Err(Mistake::types(span, format!("a memref of {has} has a layout of as many, not {found}")).label(given))
}
