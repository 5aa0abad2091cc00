//! Walks over the words of lines.

use super::{
    super::{
        number::{Field, Number, NumberFault, Scanned, at_end, is_blank, natural},
        source::Piece,
    },
    Checked,
    fault::{CoordinateFault, Fault},
};
use nnz_base::element::Element;

/// Walks over a piece of the text; its places are bytes of the whole text.
pub(super) struct Cursor<'a> {
    text: &'a [u8],
    pub(super) at: usize,
    comment: u8,
}

/// The starts of the entries, each skipped over.
impl Iterator for Cursor<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let start = self.next_entry()?;
        self.skip_line();
        Some(start)
    }
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8], piece: Piece, comment: u8) -> Cursor<'a> {
        Cursor { text: text.get(..piece.end).unwrap_or(text), at: piece.start, comment }
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| is_blank(byte)) {
            self.at += 1;
        }
    }

    pub(super) fn skip_line(&mut self) {
        self.at += memchr::memchr(b'\n', self.rest()).map_or(self.rest().len(), |newline| newline + 1);
    }

    pub(super) fn skip_word(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| !is_blank(byte) && byte != b'\n') {
            self.at += 1;
        }
    }

    /// Nothing but blanks is left of the line.
    pub(super) fn is_at_line_end(&self) -> bool {
        let rest = self.rest().iter().find(|&&byte| !is_blank(byte));
        rest.is_none_or(|&byte| byte == b'\n')
    }

    /// Goes to the next entry, past blank lines and comments.
    #[inline(always)]
    pub(super) fn next_entry(&mut self) -> Option<usize> {
        loop {
            match self.text.get(self.at)? {
                b'0'..=b'9' => return Some(self.at),
                b'\n' => self.at += 1,
                &byte if byte == self.comment => self.skip_line(),
                &byte if is_blank(byte) => self.at += 1,
                _ => return Some(self.at),
            }
        }
    }

    /// A coordinate counted from 1 in the text, from 0 in the result.
    #[inline(always)]
    pub(super) fn coordinate(&mut self, dim: usize, size: u64) -> Checked<u64> {
        self.skip_blanks();
        if let Some((number, used)) = natural(self.rest()) {
            let coordinate = number.wrapping_sub(1);
            if coordinate < size && self.ends_word(used) {
                self.at += used;
                return Ok(coordinate);
            }
        }
        Err(self.coordinate_fault(dim, size))
    }

    #[inline(always)]
    fn ends_word(&self, used: usize) -> bool {
        self.text.get(self.at + used).is_none_or(|&byte| is_blank(byte) || byte == b'\n')
    }

    #[cold]
    fn coordinate_fault(&self, dim: usize, size: u64) -> (Fault, usize) {
        (Fault::Coordinate(dim, self.why_no_coordinate(size)), self.at)
    }

    fn why_no_coordinate(&self, size: u64) -> CoordinateFault {
        let rest = self.rest();
        let sign = usize::from(matches!(rest.first(), Some(b'-' | b'+')));
        match natural(rest.get(sign..).unwrap_or_default()) {
            _ if at_end(rest) => CoordinateFault::Missing,
            Some((_, used)) if !self.ends_word(sign + used) => CoordinateFault::NotANumber,
            Some((0, _)) => CoordinateFault::Zero,
            Some(_) if rest.first() == Some(&b'-') => CoordinateFault::Negative,
            Some((number, _)) if sign == 0 && number > size => CoordinateFault::Past,
            _ => CoordinateFault::NotANumber,
        }
    }

    #[inline(always)]
    pub(super) fn value<T: Number>(&mut self, field: Field, element: Element) -> Checked<T> {
        if field != Field::Pattern {
            self.skip_blanks();
        }
        let scanned: Scanned<T> = T::scan(self.rest(), field, element);
        let (value, used) = scanned.map_err(|(fault, used)| (Fault::Value(fault), self.at + used))?;
        if !self.ends_word(used) {
            return Err((Fault::Value(NumberFault::NotANumber), self.at));
        }
        self.at += used;
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn end_line(&mut self) -> Checked<()> {
        if self.text.get(self.at) == Some(&b'\n') {
            self.at += 1;
            return Ok(());
        }
        self.skip_blanks();
        match self.text.get(self.at) {
            Some(b'\n') => self.at += 1,
            None => {}
            Some(_) => return Err((Fault::Trailing, self.at)),
        }
        Ok(())
    }
}
