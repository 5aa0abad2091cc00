//! Functions in the text: first all their types, then their bodies.

use super::{Mistake, Read, Reader, scope::Use};
use crate::{
    diagnostic::Code,
    program::{
        ir::Function,
        types::{FunctionType, Type},
    },
    source::Span,
    syntax::TokenKind,
};

/// What stands before the body.
struct Head<'c> {
    name: String,
    span: Span,
    parameters: Vec<(Option<Use<'c>>, Type)>,
    results: Vec<Type>,
}

impl<'c> Reader<'c> {
    /// Learns the type of every function up to an offset, so that calls may stand before. What is wrong with
    /// heads and aliases is reported when they are read for good.
    pub(super) fn declare_all(&mut self, end: u32) {
        while !self.at_end() && self.span().start < end {
            match self.peek() {
                TokenKind::HashId if self.nth(1) == TokenKind::Eq && self.begins_line() => {
                    let _ = self.attribute_alias();
                }
                TokenKind::BangId if self.nth(1) == TokenKind::Eq && self.begins_line() => {
                    let _ = self.type_alias();
                }
                TokenKind::Ident if self.text() == "func.func" => self.declare(),
                _ => self.bump(),
            }
        }
        self.attribute_aliases.clear();
        self.type_aliases.clear();
    }

    fn declare(&mut self) {
        if let Ok(head) = self.function_head() {
            let inputs = head.parameters.into_iter().map(|(_, ty)| ty).collect();
            let ty = FunctionType { inputs, results: head.results };
            self.functions.entry(head.name).or_insert((ty, head.span));
        }
    }

    /// `func.func private @name(%a: T {...}) -> T attributes {...}`
    fn function_head(&mut self) -> Read<Head<'c>> {
        self.bump();
        for visibility in ["private", "public", "nested"] {
            self.eat_word(visibility);
        }
        let span = self.span();
        let name = self.word_of(TokenKind::AtId, "the function's name, `@name`")?.trim_start_matches('@').to_string();
        let parameters = self.parenthesized(Self::parameter)?;
        let results = if self.eat(TokenKind::Arrow) { self.function_results()? } else { Vec::new() };
        if self.eat_word("attributes") {
            self.dictionary()?;
        }
        Ok(Head { name, span, parameters, results })
    }

    fn parameter(&mut self) -> Read<(Option<Use<'c>>, Type)> {
        let name = if self.at(TokenKind::PercentId) {
            let name = self.value_use()?;
            self.expect(TokenKind::Colon)?;
            Some(name)
        } else {
            None
        };
        let ty = self.ty()?;
        self.optional_dictionary()?;
        Ok((name, ty))
    }

    fn function_results(&mut self) -> Read<Vec<Type>> {
        let annotated = |r: &mut Self| {
            let ty = r.ty()?;
            r.optional_dictionary()?;
            Ok(ty)
        };
        if self.at(TokenKind::LParen) { self.parenthesized(annotated) } else { Ok(vec![self.ty()?]) }
    }

    pub(super) fn function(&mut self) -> Read<Function> {
        let Head { name, span, parameters, results } = self.function_head()?;
        if let Some((_, first)) = self.functions.get(&name).filter(|(_, first)| *first != span) {
            let mistake = Mistake::new(Code::RedefinedValue, span, format!("`@{name}` is defined twice"));
            let mistake = mistake.secondary(*first, "first defined here");
            self.report(mistake);
        }
        let inputs: Vec<Type> = parameters.iter().map(|(_, ty)| ty.clone()).collect();
        self.scope = super::Scope::default();
        let body = if self.at(TokenKind::LBrace) {
            self.returns = results.clone();
            let named = parameters.into_iter().filter_map(|(name, ty)| Some((name?, ty))).collect();
            Some(self.region(named)?)
        } else {
            None
        };
        let types = std::mem::take(&mut self.scope.types);
        Ok(Function { name, span, inputs, results, body, types })
    }

    /// The type of a function of this module.
    pub fn function_called(&self, name: &str) -> Option<&FunctionType> {
        self.functions.get(name).map(|(ty, _)| ty)
    }
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(String::as_str)
    }
    /// What the function that is being read returns.
    pub fn returned(&self) -> &[Type] {
        &self.returns
    }
}
