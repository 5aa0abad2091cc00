//! Types that are written among the operands of an operation, and not behind them.

use super::{Reader, scope::Use};
use crate::{
    mistake::{Mistake, Read},
    types::Type,
};
use nnz_base::source::Span;
use nnz_check::{MLIR_FAMILIES, is_mlir_type};
use nnz_syntax::{TokenKind, TokenRef};

/// Whoever writes more tokens between brackets has not made a slip.
const MOST: usize = 256;

impl<'c> Reader<'c> {
    fn token_at(&self, at: usize) -> Option<TokenRef<'c>> {
        self.tokens.get(at).copied().filter(|_| at < self.end())
    }
    fn is(&self, at: usize, kind: TokenKind) -> bool {
        self.token_at(at).is_some_and(|token| token.kind() == kind)
    }
    fn cover(&self, first: usize, last: usize) -> Option<Span> {
        Some(self.token_at(first)?.span().cover(self.token_at(last)?.span()))
    }

    /// How many tokens the type has that begins at a token: a scalar's, an alias, or a word and `<...>`.
    fn length_of_type(&self, at: usize) -> Option<usize> {
        let token = self.token_at(at)?;
        let word = token.kind() == TokenKind::Ident;
        let named = token.kind() == TokenKind::BangId
            || word && (is_mlir_type(token.text()) || MLIR_FAMILIES.contains(&token.text()));
        let mut depth = 0_usize;
        for behind in (at + 1..).take(MOST).take_while(|_| named) {
            if self.is(behind, TokenKind::Lt) {
                depth += 1;
            } else if self.is(behind, TokenKind::Gt) && depth > 0 {
                depth -= 1;
                if depth == 0 {
                    return Some(behind + 1 - at);
                }
            } else if depth == 0 {
                return Some(1);
            }
        }
        None
    }

    /// `f64 %a`, at the type.
    pub(super) fn type_in_front(&self) -> Option<Mistake> {
        let behind = self.at + self.length_of_type(self.at)?;
        if !self.is(behind, TokenKind::PercentId) || self.line_begins_at(behind) {
            return None;
        }
        let (ty, value) = (self.cover(self.at, behind - 1)?, self.token_at(behind)?);
        let message = format!("the type of `{}` stands behind the operands, and not in front of it", value.text());
        let mistake = Mistake::syntax(ty, message).label("a type in front of a value");
        let (mut values, mut last) = (vec![value.text()], behind);
        while let Some(next) = self.value_behind_type(last) {
            values.push(self.token_at(next)?.text());
            last = next;
        }
        let title = if values.len() > 1 { "remove the types" } else { "remove it" };
        Some(mistake.fix(title, self.cover(self.at, last)?, values.join(", ")))
    }

    /// The `%b` of `, f64 %b`.
    fn value_behind_type(&self, last: usize) -> Option<usize> {
        let ty = self.is(last + 1, TokenKind::Comma).then(|| self.length_of_type(last + 2)).flatten()?;
        Some(last + 2 + ty).filter(|next| self.is(*next, TokenKind::PercentId))
    }

    /// `(%a: f64, %b: f64)`, at the first `:`.
    pub(super) fn types_within(&self, open: Span) -> Option<Mistake> {
        let ty = self.at(TokenKind::Colon).then(|| self.length_of_type(self.at + 1)).flatten()?;
        let close = (self.at..self.end()).take(MOST).find(|at| self.is(*at, TokenKind::RParen))?;
        let first = self.tokens.partition_point(|token| token.span().start < open.end);
        let values = (first..close).filter(|at| self.is(*at, TokenKind::PercentId));
        let values: Vec<&str> = values.filter_map(|at| Some(self.token_at(at)?.text())).collect();
        let values = values.join(", ");
        let whole = Span::new(open.end as usize, self.token_at(close)?.span().start as usize);
        let mistake =
            Mistake::syntax(self.cover(self.at, self.at + ty)?, "types stand behind the operands, and not among them");
        let mistake = mistake.label("a type among operands").help(format!("as in `({values}) : (...) -> ...`"));
        Some(mistake.fix("leave the types out", whole, values))
    }

    /// `%a : f64, %b : f64`, at the first `:`.
    pub(super) fn types_between(&self, uses: &[Use<'c>]) -> Option<Mistake> {
        let mut values: Vec<&str> = uses.iter().map(|name| name.name).collect();
        let (mut types, mut at) = (Vec::new(), self.at);
        while self.is(at, TokenKind::Colon) && !self.line_begins_at(at) {
            let last = at + self.length_of_type(at + 1)?;
            types.push(self.cover(at + 1, last)?);
            at = last + 3;
            if !self.is(last + 1, TokenKind::Comma) || !self.is(last + 2, TokenKind::PercentId) {
                break;
            }
            values.push(self.token_at(last + 2)?.text());
        }
        if values.len() != uses.len() + types.len().checked_sub(1)? || types.len() < 2 {
            return None;
        }
        let texts: Vec<&str> = types.iter().map(|ty| self.checked.source.slice(*ty)).collect();
        let written = format!("{} : {}", values.join(", "), self.types_of_all(&texts));
        let whole = uses.first()?.span.cover(*types.last()?);
        let place = self.span().cover(*types.first()?);
        let mistake = Mistake::syntax(place, "the types of the operands stand together, behind the last of them");
        Some(mistake.label("a type between operands").fix(format!("write `{written}`"), whole, written))
    }

    /// The `:` in front of the types of `uses`. Where an operation ends without them they are inserted, `once` if all are
    /// of one type and the operation names it once.
    ///
    /// # Errors
    /// No `:`.
    pub(crate) fn colon_of_types(&mut self, uses: &[Use<'c>], once: bool) -> Read<()> {
        let behind = self.last_span().end as usize;
        let ends = self.begins_line() || self.at_end() || self.at(TokenKind::RBrace);
        let Err(mistake) = self.expect(TokenKind::Colon) else { return Ok(()) };
        let types = uses.iter().map(|name| self.type_of(*name).filter(|ty| !ty.is_broken()).map(Type::to_string));
        let Some(mut types) = types.collect::<Option<Vec<String>>>().filter(|types| ends && !types.is_empty()) else {
            return Err(mistake);
        };
        if once {
            types.dedup();
        }
        if once && types.len() > 1 {
            return Err(mistake);
        }
        let types = types.join(", ");
        Err(mistake.label("no type behind the operands").fix(
            format!("insert `: {types}`"),
            Span::at(behind),
            format!(" : {types}"),
        ))
    }

    /// `%a + %b` where an operation begins.
    pub(super) fn infix(&self) -> Option<Mistake> {
        let (left, right) = (self.token_at(self.at)?, self.token_at(self.at + 2)?);
        let values = left.kind() == TokenKind::PercentId && right.kind() == TokenKind::PercentId;
        let Some(Type::Scalar(element)) = self.type_of(Use { name: left.text(), span: left.span() }) else {
            return None;
        };
        let (sign, float) = (self.nth_text(1), element.is_float());
        let name = match sign {
            _ if !values || element.is_complex() => return None,
            "+" => "add",
            "-" => "sub",
            "*" => "mul",
            "/" if float => "div",
            "/" => "divs",
            _ => return None,
        };
        let ty = if self.nth(3) == TokenKind::Colon { String::new() } else { format!(" : {element}") };
        let suffix = if float { "f" } else { "i" };
        let written = format!("arith.{name}{suffix} {}, {}{ty}", left.text(), right.text());
        let sign_span = self.token_at(self.at + 1)?.span();
        let mistake =
            Mistake::syntax(sign_span, format!("`{sign}` is no operation: one is named in front of its operands"));
        let whole = left.span().cover(right.span());
        Some(mistake.label("an operator").fix(format!("write `{written}`"), whole, written))
    }

    /// Most operations take operands of one type, and name it once; those that end a region name them all.
    fn types_of_all(&self, types: &[&str]) -> String {
        let begin = (0..self.at).rev().find(|at| self.line_begins_at(*at)).unwrap_or(0);
        let names = (begin..self.at).filter_map(|at| self.dialects.lookup(self.token_at(at)?.text()));
        let ends = names.last().is_some_and(|entry| entry.def.is_terminator());
        match types {
            [first, rest @ ..] if !ends && rest.iter().all(|ty| ty == first) => (*first).to_string(),
            _ => types.join(", "),
        }
    }

    /// What to replace of `(%a) : (f64)` behind the operands `(%a)`, and by what; the type of a function stays.
    pub(super) fn types_in_parentheses(&self, operands: Span) -> (Span, String) {
        let colon = self.tokens.partition_point(|token| token.span().start < operands.end);
        let close = (colon..self.end()).take(MOST).find(|at| self.is(*at, TokenKind::RParen));
        let types = close.filter(|close| {
            let opens = self.is(colon, TokenKind::Colon) && self.is(colon + 1, TokenKind::LParen);
            opens && !self.is(close + 1, TokenKind::Arrow)
        });
        match types.and_then(|close| self.cover(colon + 1, close)) {
            Some(types) => {
                let text = self.checked.source.slice(types).trim_matches(['(', ')']).trim();
                (operands.cover(types), format!(" : {text}"))
            }
            None => (operands, String::new()),
        }
    }
}
