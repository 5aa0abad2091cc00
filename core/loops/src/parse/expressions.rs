//! Expressions.

use num_complex::Complex;

use super::{Parsed, Parser, Token};
use crate::{
    Binary, Expr, ExprId, Unary,
    print::{Binding, binding},
    words,
};
use nnz_base::element::{Element, Scalar};

impl<'t> Parser<'t> {
    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        self.deeper(|this| this.operators(Binding::Or))
    }

    /// Operators that bind at least as tightly as `level`, which associate to the left.
    fn operators(&mut self, level: Binding) -> Parsed<ExprId> {
        if level >= Binding::Sign {
            return self.deeper(Self::sign);
        }
        let mut left = self.operators(level.tighter())?;
        while let Some(op) = self.operator(level) {
            let right = self.operators(level.tighter())?;
            left = self.b.expr(Expr::Binary(op, left, right));
        }
        Ok(left)
    }

    fn operator(&mut self, level: Binding) -> Option<Binary> {
        Binary::all().find(|op| binding(*op) == Some(level) && self.lexer.accept(op.name()))
    }

    fn sign(&mut self) -> Parsed<ExprId> {
        if self.lexer.accept("!") {
            let operand = self.deeper(Self::sign)?;
            return Ok(self.b.expr(Expr::Unary(Unary::Not, operand)));
        }
        if !self.lexer.accept("-") {
            return self.leaf();
        }
        if let Token::Number(digits) = self.lexer.peek() {
            return self.index_literal(&format!("-{digits}"));
        }
        let operand = self.deeper(Self::sign)?;
        Ok(self.b.expr(Expr::Unary(Unary::Neg, operand)))
    }

    fn index_literal(&mut self, digits: &str) -> Parsed<ExprId> {
        match digits.parse() {
            Ok(number) => {
                self.lexer.next();
                Ok(self.b.index(number))
            }
            Err(_) => self.error(format!("`{digits}` is not a 64-bit number")),
        }
    }

    fn leaf(&mut self) -> Parsed<ExprId> {
        match self.lexer.peek() {
            Token::Number(digits) => self.index_literal(digits),
            Token::Word(word) => self.word_leaf(word),
            Token::Sign("(") => {
                self.lexer.next();
                let inner = self.expr()?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Sign(_) | Token::Comment(_) | Token::End => self.error("expected an expression"),
        }
    }

    fn word_leaf(&mut self, word: &'t str) -> Parsed<ExprId> {
        if self.lexer.second() == Token::Sign("(") && is_function(word) {
            self.lexer.next();
            return self.call(word);
        }
        if let Some(&(var, _)) = self.vars.get(word) {
            self.lexer.next();
            return Ok(self.b.var(var));
        }
        if let Some(&array) = self.arrays.get(word) {
            self.lexer.next();
            self.expect("[")?;
            let index = self.expr()?;
            self.expect("]")?;
            return Ok(self.b.load(array, index));
        }
        if let Some(element) = self.accept_element(word)? {
            let scalar = self.scalar(element)?;
            return Ok(self.b.value(element, scalar));
        }
        if !words::RESERVED.contains(&word) {
            return self.error(format!("`{word}` names nothing here"));
        }
        self.lexer.next();
        match word {
            "true" | "false" => Ok(self.b.bool(word == "true")),
            "cast" => {
                self.expect("<")?;
                let to = self.ty()?;
                self.expect(">")?;
                let [from] = self.arguments()?;
                Ok(self.b.expr(Expr::Cast { to, from }))
            }
            "select" => {
                let [cond, then, other] = self.arguments()?;
                Ok(self.b.select(cond, then, other))
            }
            _ => self.error(format!("`{word}` is no expression")),
        }
    }

    fn call(&mut self, word: &str) -> Parsed<ExprId> {
        if let Some(op) = Unary::all().find(|op| op.name() == word) {
            let [operand] = self.arguments()?;
            return Ok(self.b.unary(op, operand));
        }
        if let Some(op) = Binary::all().find(|op| op.name() == word) {
            let [left, right] = self.arguments()?;
            return Ok(self.b.expr(Expr::Binary(op, left, right)));
        }
        self.error(format!("`{word}` is no expression"))
    }

    pub(super) fn arguments<const N: usize>(&mut self) -> Parsed<[ExprId; N]> {
        self.expect("(")?;
        let mut arguments = Vec::with_capacity(N);
        for at in 0..N {
            if at > 0 {
                self.expect(",")?;
            }
            arguments.push(self.expr()?);
        }
        self.expect(")")?;
        arguments.try_into().or_else(|_| self.error("a wrong number of arguments"))
    }

    /// `(1.5)` or `(1.0, 2.0)` after an element type.
    fn scalar(&mut self, element: Element) -> Parsed<Scalar> {
        self.expect("(")?;
        let text = self.lexer.until(")");
        self.expect(")")?;
        match literal(element, text) {
            Some(scalar) => Ok(scalar),
            None => self.error(format!("`{text}` is not a value of type {element}")),
        }
    }
}

/// Whether an operation is written as a function of that name, which need not be reserved.
fn is_function(word: &str) -> bool {
    Unary::all().any(|op| op.name() == word) || Binary::all().any(|op| op.name() == word)
}

fn literal(element: Element, text: &str) -> Option<Scalar> {
    if element.is_complex() {
        let (re, im) = text.split_once(',')?;
        return Some(Scalar::Complex(Complex::new(re.trim().parse().ok()?, im.trim().parse().ok()?)));
    }
    if element.is_float() { text.parse().ok().map(Scalar::Float) } else { text.parse().ok().map(Scalar::Int) }
}
