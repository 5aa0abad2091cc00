//! Layouts of memrefs in the text.

use super::Reader;
use crate::mistake::{Mistake, Read};
use nnz_base::{diagnostic::counted, source::Span};
use nnz_syntax::TokenKind;

impl Reader<'_> {
    /// What follows the sizes of the memref that begins at `start` and has been read: a layout and a memory space,
    /// which nnz does not represent.
    pub(super) fn layout(&mut self, start: Span, rank: usize) -> Read<()> {
        let end =
            std::mem::replace(&mut self.at, self.tokens.partition_point(|token| token.span().start < start.start));
        while self.at < end && !self.at(TokenKind::Comma) {
            self.bump();
        }
        while self.at < end && self.eat(TokenKind::Comma) {
            self.part_of_layout(rank)?;
        }
        let ends = if self.at < end { self.expect(TokenKind::Gt) } else { Ok(()) };
        self.at = end;
        ends
    }

    fn part_of_layout(&mut self, rank: usize) -> Read<()> {
        let span = self.span();
        if self.at_word("strided") {
            let strides = self.strided()?;
            return fits(rank, strides, "stride", span.cover(self.last_span()));
        }
        let attribute = self.attribute()?;
        let Some(map) = attribute.as_map() else { return Ok(()) };
        fits(rank, map.dims, "dimension", span.cover(self.last_span()))
    }

    /// `strided<[4, ?], offset: 2>`: how many strides it has.
    pub(super) fn strided(&mut self) -> Read<usize> {
        self.bump();
        self.expect(TokenKind::Lt)?;
        let strides = self.bracketed(TokenKind::LBracket, TokenKind::RBracket, Self::number_or_open)?;
        if self.eat(TokenKind::Comma) {
            self.expect_word("offset")?;
            self.expect(TokenKind::Colon)?;
            self.number_or_open()?;
        }
        self.expect(TokenKind::Gt)?;
        Ok(strides.len())
    }

    /// `4`, or `?`
    fn number_or_open(&mut self) -> Read<()> {
        if self.eat(TokenKind::Question) {
            return Ok(());
        }
        if !matches!(self.peek(), TokenKind::Int | TokenKind::Minus) {
            return Err(self.expected("a whole number or `?`"));
        }
        let span = self.span();
        let number = self.integer()?;
        match i64::try_from(number) {
            Ok(_) => Ok(()),
            Err(_) => Err(Mistake::syntax(span, format!("`{number}` has more than 64 bits")).label("too large")),
        }
    }
}

/// A layout of as many dimensions as the memref.
fn fits(rank: usize, found: usize, what: &str, span: Span) -> Read<()> {
    if rank == found {
        return Ok(());
    }
    let (has, given) = (counted(rank, "dimension"), counted(found, what));
    Err(Mistake::types(span, format!("a memref of {has} has a layout of as many, not {found}")).label(given))
}
