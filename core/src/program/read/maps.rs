//! `affine_map<(i, j) -> (j, i)>` in the text.

use std::collections::HashMap;

use super::{Mistake, Read, Reader};
use crate::{diagnostic::Code, encoding::Affine, ids::Dim, program::attribute::AffineMap, syntax::TokenKind};

impl Reader<'_> {
    /// # Errors
    /// No map, an expression that is not affine, a name that the map does not declare.
    pub fn affine_map(&mut self) -> Read<AffineMap> {
        self.expect_word("affine_map")?;
        self.expect(TokenKind::Lt)?;
        let names = self.parenthesized(|r| r.word_of(TokenKind::Ident, "a dimension's name"))?;
        if self.at(TokenKind::LBracket) {
            return Err(Mistake::unsupported(self.span(), "maps with symbols are not used by any operation here"));
        }
        self.expect(TokenKind::Arrow)?;
        let dims = names.iter().enumerate().map(|(at, name)| (*name, Dim::new(at))).collect();
        let results = self.parenthesized(|r| r.affine_sum(&dims))?;
        self.expect(TokenKind::Gt)?;
        Ok(AffineMap { dims: names.len(), results })
    }

    fn affine_sum(&mut self, dims: &HashMap<&str, Dim>) -> Read<Affine<Dim>> {
        let mut sum = self.affine_term(dims)?;
        loop {
            if self.eat(TokenKind::Plus) {
                sum = Affine::add(sum, self.affine_term(dims)?);
            } else if self.eat(TokenKind::Minus) {
                sum = Affine::sub(sum, self.affine_term(dims)?);
            } else {
                return Ok(sum);
            }
        }
    }

    fn affine_term(&mut self, dims: &HashMap<&str, Dim>) -> Read<Affine<Dim>> {
        let mut term = self.affine_factor(dims)?;
        loop {
            let (span, operator) = (self.span(), self.text());
            let combine = match operator {
                "*" => Affine::mul,
                "floordiv" => Affine::floordiv,
                "ceildiv" => Affine::ceildiv,
                "mod" => Affine::modulo,
                _ => return Ok(term),
            };
            self.bump();
            let right = self.affine_factor(dims)?;
            term = combine(term, right).map_err(|error| Mistake::new(Code::NotAffine, span, error.to_string()))?;
        }
    }

    fn affine_factor(&mut self, dims: &HashMap<&str, Dim>) -> Read<Affine<Dim>> {
        self.nested(|r| match r.peek() {
            TokenKind::Minus => {
                r.bump();
                Ok(r.affine_factor(dims)?.negated())
            }
            TokenKind::LParen => {
                r.bump();
                let inner = r.affine_sum(dims)?;
                r.expect(TokenKind::RParen)?;
                Ok(inner)
            }
            TokenKind::Int => {
                let number = r.text().parse().map_err(|_| r.expected("a number below 2^63"))?;
                r.bump();
                Ok(Affine::Const(number))
            }
            _ => {
                let span = r.span();
                let name = r.word_of(TokenKind::Ident, "a dimension or a number")?;
                let unknown = || Mistake::new(Code::UndeclaredVariable, span, format!("the map declares no `{name}`"));
                dims.get(name).map(|dim| Affine::Var(*dim)).ok_or_else(unknown)
            }
        })
    }
}
