//! `affine_map<(i, j)[s] -> (j, i + s)>` in the text.

use std::collections::HashMap;

use super::Reader;
use crate::{
    attribute::AffineMap,
    mistake::{Mistake, Read},
};
use nnz_base::{
    diagnostic::Code,
    ids::{Dim, Sym},
};
use nnz_encoding::Affine;
use nnz_syntax::TokenKind;

/// What a map declares.
type Names<'t> = HashMap<&'t str, Affine<Dim>>;

impl Reader<'_> {
    /// # Errors
    /// No map, an expression that is not affine, a name that the map does not declare.
    pub fn affine_map(&mut self) -> Read<AffineMap> {
        self.expect_word("affine_map")?;
        self.expect(TokenKind::Lt)?;
        let dims = self.parenthesized(|r| r.word_of(TokenKind::Ident, "a dimension's name"))?;
        let mut symbols = Vec::new();
        if self.at(TokenKind::LBracket) {
            let name = |r: &mut Self| r.word_of(TokenKind::Ident, "a symbol's name");
            symbols = self.bracketed(TokenKind::LBracket, TokenKind::RBracket, name)?;
        }
        self.expect(TokenKind::Arrow)?;
        let named = dims.iter().enumerate().map(|(at, name)| (*name, Affine::Var(Dim::new(at))));
        let named = named.chain(symbols.iter().enumerate().map(|(at, name)| (*name, Affine::Sym(Sym::new(at)))));
        let names = named.collect();
        let results = self.parenthesized(|r| r.affine_sum(&names))?;
        self.expect(TokenKind::Gt)?;
        Ok(AffineMap { dims: dims.len(), symbols: symbols.len(), results })
    }

    fn affine_sum(&mut self, names: &Names<'_>) -> Read<Affine<Dim>> {
        let mut sum = self.affine_term(names)?;
        loop {
            if self.eat(TokenKind::Plus) {
                sum = Affine::add(sum, self.affine_term(names)?);
            } else if self.eat(TokenKind::Minus) {
                sum = Affine::sub(sum, self.affine_term(names)?);
            } else {
                return Ok(sum);
            }
        }
    }

    fn affine_term(&mut self, names: &Names<'_>) -> Read<Affine<Dim>> {
        let mut term = self.affine_factor(names)?;
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
            let right = self.affine_factor(names)?;
            term = combine(term, right).map_err(|error| Mistake::new(Code::NotAffine, span, error.to_string()))?;
        }
    }

    fn affine_factor(&mut self, names: &Names<'_>) -> Read<Affine<Dim>> {
        self.nested(|r| match r.peek() {
            TokenKind::Minus => {
                r.bump();
                Ok(r.affine_factor(names)?.negated())
            }
            TokenKind::LParen => {
                r.bump();
                let inner = r.affine_sum(names)?;
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
                if let Some(declared) = names.get(name) {
                    return Ok(declared.clone());
                }
                // It is read on, as the rest of its kernel may have mistakes of its own.
                let mistake = Mistake::new(Code::UndeclaredVariable, span, format!("the map declares no `{name}`"));
                r.report(mistake.label("not declared"));
                Ok(Affine::Const(0))
            }
        })
    }
}
