//! Functions in the text: first all their types, then their bodies.

use std::collections::hash_map::Entry;

use super::{Purpose, Reader, scope::Use, unknown::Unknown};
use crate::{
    attribute::{Attribute, Attributes},
    ir::{Ending, Function, Op, Operand, Region},
    mistake::{Mistake, Read},
    types::{FunctionType, Type, list},
};
use nnz_base::{
    diagnostic::{Code, counted},
    source::Span,
};
use nnz_syntax::TokenKind;

/// Words before a name that does not begin a function.
const HEADS: &[&str] = &["module", "private", "public", "nested"];

/// The part before the body.
struct Head<'c> {
    name: String,
    span: Span,
    parameters: Vec<(Option<Use<'c>>, Type)>,
    results: Vec<Type>,
    /// Not public, as what is declared only must be.
    hidden: bool,
}

impl<'c> Reader<'c> {
    /// Reads the type of every function up to an offset, so that calls may come before definitions. Other errors
    /// of heads and aliases are reported when they are read fully.
    pub(super) fn declare_all(&mut self, end: u32) {
        self.note_misspelt_functions(end);
        let mut next = self.items.partition_point(|item| *item < self.at);
        while let Some(start) = self.items.get(next).copied() {
            self.at = start;
            if self.span().start >= end {
                return;
            }
            if self.at_function() {
                self.table = self.table();
                self.within_item(Self::declare);
            } else {
                let _ = self.quietly(|r| r.within_item(Self::alias));
            }
            self.note_head(start);
            next += 1;
        }
    }

    /// `funk.func @f`: the mistake is reported there, and not at calls of `@f`.
    fn note_misspelt_functions(&mut self, end: u32) {
        for at in self.at..self.tokens.len() {
            let token = self.tokens[at];
            if token.span().start >= end {
                return;
            }
            let named =
                |at: usize| self.tokens.get(at).filter(|next| next.kind() == TokenKind::AtId).map(|next| next.text());
            if self.misspells_function(at)
                && let Some(name) = named(at + 1).or_else(|| named(at + 2))
            {
                self.note_broken_function(name);
            }
        }
    }

    /// Whether a line begins with a word in place of `func.func` that is neither an operation nor the head of a module.
    fn misspells_function(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at).filter(|token| token.kind() == TokenKind::Ident) else { return false };
        if !self.line_begins_at(at) {
            return false;
        }
        let text = token.text();
        let legal = || self.dialects.lookup(text).is_some() || self.dialects.elsewhere.contains(&text);
        let word = text.contains("func") || !text.contains('.') && !HEADS.contains(&text);
        word && !legal() && !self.begins_item(at)
    }

    /// The mistakes of a function are reported at its head, and not at its calls. `name` may have its `@` or not.
    fn note_broken_function(&mut self, name: &'c str) {
        let name = name.trim_start_matches(['@', '%']);
        self.broken.insert(name);
        self.note_broken_head(name);
    }

    /// The name of the function that begins here, also without its `@`.
    fn name_in_head(&self) -> Option<&'c str> {
        let named = |at: &usize| self.nth(*at) == TokenKind::AtId;
        let bare = |at: &usize| {
            matches!(self.nth(*at), TokenKind::Ident | TokenKind::PercentId) && self.nth(at + 1) == TokenKind::LParen
        };
        (0..4).find(named).or_else(|| (1..4).find(bare)).map(|at| self.nth_text(at))
    }

    /// Forgets what is reported: it is when the same text is read fully.
    fn quietly<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let (known, silent) = (self.diagnostics.len(), self.silent);
        let result = read(self);
        self.diagnostics.truncate(known);
        self.silent = silent;
        result
    }

    fn declare(&mut self) {
        let named = self.name_in_head();
        let head = self.quietly(|r| if r.at(TokenKind::String) { r.generic_head() } else { r.typed_head() });
        let Ok((name, span, ty)) = head else {
            return named.into_iter().for_each(|name| self.note_broken_function(name));
        };
        match self.functions.entry((self.table, name)) {
            Entry::Vacant(entry) => drop(entry.insert((ty, span))),
            Entry::Occupied(entry) => {
                let mistake =
                    Mistake::new(Code::RedefinedValue, span, format!("`@{}` is defined twice", entry.key().1));
                let mistake = mistake.label("the second definition").secondary(entry.get().1, "first defined here");
                self.report(mistake);
            }
        }
    }

    fn typed_head(&mut self) -> Read<(String, Span, FunctionType)> {
        let Head { name, span, parameters, results, .. } = self.function_head()?;
        let inputs = parameters.into_iter().map(|(_, ty)| ty).collect();
        Ok((name, span, FunctionType { inputs, results }))
    }

    /// `"func.func"() <{function_type = ..., sym_name = "f"}>`, or the attributes behind the region, which is read later.
    fn generic_head(&mut self) -> Read<(String, Span, FunctionType)> {
        let span = self.span();
        self.bump();
        self.expect(TokenKind::LParen)?;
        self.expect(TokenKind::RParen)?;
        let mut attributes = Attributes::default();
        if self.eat(TokenKind::Lt) {
            attributes = self.dictionary()?;
            self.expect(TokenKind::Gt)?;
        }
        let region = self.at;
        if self.at(TokenKind::LParen) {
            self.skip_group();
            attributes.append(self.optional_dictionary()?);
        }
        self.at = region;
        match (attributes.get("sym_name"), attributes.get("function_type")) {
            (Some(Attribute::Text(name)), Some(Attribute::Type(Type::Function(ty)))) => {
                Ok((name.clone(), span, ty.clone()))
            }
            _ => Err(Mistake::new(Code::OperationForm, span, "a function has `sym_name` and `function_type`")
                .label("without one of them")),
        }
    }

    /// `"func.func"() <{...}> ({ ^bb0(%a: T): ... }) {...} : () -> ()`
    pub(super) fn generic_function(&mut self) -> Read<Function> {
        let (name, span, ty) = self.generic_head()?;
        self.scope = super::Scope::default();
        self.returns = ty.results.clone();
        self.expect(TokenKind::LParen)?;
        let body = self.optional_region()?;
        self.expect(TokenKind::RParen)?;
        self.optional_dictionary()?;
        self.expect(TokenKind::Colon)?;
        self.no_values("func.func")?;
        let types = std::mem::take(&mut self.scope.types);
        let body = body.map(super::liveness::marked);
        if body.as_ref().is_some_and(|body| body.arguments.len() != ty.inputs.len()) {
            let message = format!("`@{name}` takes {}, and its block others", counted(ty.inputs.len(), "argument"));
            return Err(Mistake::new(Code::OperationForm, span, message).label("a block of other arguments"));
        }
        let arguments = body.as_ref().map_or(&[][..], |body| &body.arguments);
        let differs = |(argument, wanted): &(&Operand, &Type)| {
            argument.ty != **wanted && !argument.ty.is_broken() && !wanted.is_broken()
        };
        if let Some((argument, wanted)) = arguments.iter().zip(&ty.inputs).find(differs) {
            let message = format!("`@{name}` takes `{wanted}` here, and its block `{}`", argument.ty);
            return Err(Mistake::types(argument.span, message).label("of another type"));
        }
        Ok(Function { name, table: self.table, span, inputs: ty.inputs, results: ty.results, body, types })
    }

    /// `() -> ()`: the type of an operation that takes and gives nothing.
    pub(super) fn no_values(&mut self, name: &str) -> Read<()> {
        let start = self.span();
        let ty = self.function_type()?;
        if ty.inputs.is_empty() && ty.results.is_empty() {
            return Ok(());
        }
        let message = format!("`{name}` takes no operands and gives no results");
        let place = start.cover(self.last_span());
        Err(Mistake::new(Code::OperationForm, place, message).label("write `() -> ()`").fix(
            "write `() -> ()`",
            place,
            "() -> ()",
        ))
    }

    /// Checks a body as a whole: calls in generic syntax, the places of operations, and its end. Diagnostics from
    /// the `known`-th on are about this function.
    pub(super) fn check_body(&mut self, function: &Function, known: usize) {
        let Some(body) = &function.body else { return };
        let mut mistakes = self.wrong_calls(body);
        mistakes.extend(super::misplaced::outside_of_kernels(body));
        // A return that is broken was left out.
        if mistakes.is_empty() && self.mistakes() == known {
            mistakes = Self::wrong_ends(function, body);
        } else if body.ending != Ending::BrokenTerminator && self.never_leaves(function, body) {
            mistakes.push(Self::no_return(function));
        }
        mistakes.into_iter().for_each(|mistake| self.report(mistake));
        if let (true, Purpose::Mistakes(memory)) = (self.mistakes() == known, &self.purpose) {
            let costs = (memory.costs)(&self.checked.source, function);
            costs.into_iter().for_each(|cost| self.report(cost));
        }
    }

    fn wrong_calls(&self, region: &Region) -> Vec<Mistake> {
        let mut mistakes = Vec::new();
        for op in region.blocks().flatten() {
            mistakes.extend(op.regions.iter().flatten().flat_map(|inner| self.wrong_calls(inner)));
            if op.def.name == "func.call" {
                mistakes.extend(self.wrong_call(op));
            }
        }
        mistakes
    }

    /// Nothing in the text of the function that is being read could be its end. What its last operation is, if that is
    /// none of nnz's, only its dialect knows.
    fn never_leaves(&self, function: &Function, body: &Region) -> bool {
        let Some(item) = &self.item else { return false };
        let leaves = |text: &str| {
            let name = text.trim_matches('"');
            let foreign = body.ending == Ending::Broken && matches!(self.unknown.get(name), Some(Unknown::Elsewhere));
            foreign || matches!(name, "return" | "func.return" | "std.return") || text.contains("cf.")
        };
        let body = self.tokens.get(item.clone()).unwrap_or_default().iter();
        !body.skip_while(|token| token.span().start <= function.span.start).any(|token| leaves(token.text()))
    }

    fn no_return(function: &Function) -> Mistake {
        let message = format!("`@{}` ends without a `return`", function.name);
        Mistake::new(Code::OperationForm, function.span, message).label("no `return` at its end").help(
            match function.results.is_empty() {
                true => "insert `return` as its last operation".to_string(),
                false => format!("its last operation returns a value: `return %0 : {}`", list(&function.results)),
            },
        )
    }

    /// The ways out of a function that do not return what it declares. Returns in the custom syntax are already
    /// checked.
    fn wrong_ends(function: &Function, body: &Region) -> Vec<Mistake> {
        let mut mistakes = Vec::new();
        if body.blocks().any(|operations| operations.last().is_none_or(|op| !op.def.is_terminator())) {
            mistakes.push(Self::no_return(function));
        }
        for end in body.ends() {
            let given: Vec<&Type> = end.operands.iter().map(|operand| &operand.ty).collect();
            let fits = given.len() == function.results.len()
                && given.iter().zip(&function.results).all(|(a, b)| *a == b || a.is_broken() || b.is_broken());
            if end.def.name != "func.return" || !fits {
                let returned = match function.results.is_empty() {
                    true => "nothing".to_string(),
                    false => format!("`{}`", list(&function.results)),
                };
                let message = format!("`@{}` ends with a `return` of {returned}", function.name);
                let label = format!("a `return` of {returned} is wanted");
                mistakes.push(Mistake::types(end.span, message).label(label));
            }
        }
        mistakes
    }

    fn wrong_call(&self, op: &Op) -> Option<Mistake> {
        let name = op.callee();
        let Some(ty) = self.function_called(name) else {
            if self.is_broken(name) {
                return None;
            }
            let mistake = Mistake::new(Code::UnknownFunction, op.span, format!("there is no function `@{name}`"));
            return Some(mistake.label(format!("calls `@{name}`")));
        };
        let given: Vec<Type> = op.operands.iter().map(|operand| operand.ty.clone()).collect();
        let same = |a: &[Type], b: &[Type]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || a.is_broken() || b.is_broken())
        };
        let fits = same(&given, &ty.inputs) && same(&op.result_types, &ty.results);
        (!fits).then(|| Mistake::types(op.span, format!("`@{name}` is `{}`", Type::Function(ty.clone()))))
    }

    /// `func.func private @name(%a: T {...}) -> T attributes {...}`
    fn function_head(&mut self) -> Read<Head<'c>> {
        self.bump();
        let hidden = self.eat_word("private") || self.eat_word("nested");
        self.eat_word("public");
        let span = self.span();
        if matches!(self.peek(), TokenKind::Ident | TokenKind::PercentId) && self.nth(1) == TokenKind::LParen {
            let meant = format!("@{}", self.text().trim_start_matches('%'));
            let mistake = Mistake::syntax(span, format!("a function's name begins with `@`: `{meant}`"));
            return Err(mistake.label("not a function's name").fix(format!("write `{meant}`"), span, meant));
        }
        let name = self.word_of(TokenKind::AtId, "the function's name, `@name`")?.trim_start_matches('@').to_string();
        let parameters = self.parenthesized(Self::parameter)?;
        self.pass_told_bracket();
        self.no_other_arrow()?;
        let results = if self.eat_arrow_of_head() { self.function_results()? } else { Vec::new() };
        self.function_attributes()?;
        Ok(Head { name, span, parameters, results, hidden })
    }

    fn parameter(&mut self) -> Read<(Option<Use<'c>>, Type)> {
        let name = if self.at(TokenKind::PercentId) {
            let name = self.value_use()?;
            self.expect(TokenKind::Colon)?;
            Some(name)
        } else if self.at(TokenKind::Ident) && self.nth(1) == TokenKind::Colon {
            return Err(self.value_without_sign());
        } else {
            None
        };
        let ty = self.ty()?;
        self.annotations("parameter", &ty)?;
        self.optional_location();
        Ok((name, ty))
    }

    fn function_results(&mut self) -> Read<Vec<Type>> {
        let annotated = |r: &mut Self| {
            let ty = r.ty()?;
            r.annotations("result", &ty)?;
            Ok(ty)
        };
        if self.at(TokenKind::LParen) {
            return self.parenthesized(annotated);
        }
        let start = self.span();
        let results = self.separated(Self::ty)?;
        if !self.pass_told_bracket() && results.len() > 1 {
            let whole = start.cover(self.last_span());
            let listed = format!("({})", self.checked.source.slice(whole));
            let mistake = Mistake::syntax(whole, "several results of a function stand in parentheses");
            self.report(mistake.label("without parentheses").fix("add the parentheses", whole, listed));
        }
        Ok(results)
    }

    pub(super) fn function(&mut self) -> Read<Function> {
        let Head { name, span, parameters, results, hidden } = self.function_head()?;
        let inputs: Vec<Type> = parameters.iter().map(|(_, ty)| ty.clone()).collect();
        self.scope = super::Scope::default();
        let mistyped = self.at(TokenKind::LParen) && self.checked.has_syntax_error_in(self.span());
        let body = if self.at(TokenKind::LBrace) || mistyped {
            self.returns = results.clone();
            self.all_named(span, &parameters);
            let named = parameters.into_iter().filter_map(|(name, ty)| Some((name?, ty))).collect();
            Some(super::liveness::marked(self.region(named)?))
        } else if !hidden && self.begins_line() && self.begins_body() {
            let behind = Span::at(self.last_span().end as usize);
            return Err(Mistake::syntax(behind, nnz_syntax::mlir::NO_BRACE).label("no `{` here"));
        } else if !self.begins_line() && !self.at_end() && !self.at(TokenKind::RBrace) {
            return Err(self.expected("`{` and the body of the function"));
        } else {
            if !hidden {
                let message = format!("`@{name}` has no body, and what is only declared is private");
                let start = Span::new(span.start as usize, span.start as usize);
                let mistake = Mistake::new(Code::OperationForm, span, message).label("declared only");
                self.report(mistake.fix("write `private`", start, "private "));
            }
            self.mixed_names(span, &parameters);
            None
        };
        let types = std::mem::take(&mut self.scope.types);
        Ok(Function { name, table: self.table, span, inputs, results, body, types })
    }

    /// Parameters of a function with a body have names.
    fn all_named(&mut self, function: Span, parameters: &[(Option<Use<'c>>, Type)]) {
        let all = parameters.iter().all(|(name, ty)| name.is_some() || ty.is_broken());
        if !all {
            let message = "the parameters of a function with a body have names";
            self.report(Mistake::syntax(function, message).label("not all its parameters have a name"));
        }
    }

    /// Parameters of what is only declared have names, all of them, or none has.
    fn mixed_names(&mut self, function: Span, parameters: &[(Option<Use<'c>>, Type)]) {
        let named = parameters.iter().filter_map(|(name, _)| *name);
        let Some(first) = named.clone().next().filter(|_| named.count() < parameters.len()) else { return };
        let begins_named = parameters.first().is_some_and(|(name, _)| name.is_some());
        let (span, label) = match begins_named {
            true => (function, "not all its parameters have a name"),
            false => (first.span, "the first parameter has no name"),
        };
        let message = "the parameters of a function have names, or none of them has";
        self.report(Mistake::syntax(span, message).label(label));
    }

    /// At an operation, where only items are allowed.
    fn begins_body(&self) -> bool {
        let is_item = matches!(self.text(), "func.func" | "builtin.module");
        self.at(TokenKind::PercentId)
            || self.at(TokenKind::Ident) && !is_item && (self.at_word("return") || self.text().contains('.'))
    }

    fn declared(&self, name: &str) -> Option<&(FunctionType, Span)> {
        self.functions.get(&(self.table, name.to_string()))
    }
    /// The type of a function of this module.
    pub(crate) fn function_called(&self, name: &str) -> Option<&FunctionType> {
        self.asks.set(true);
        self.declared(name).map(|(ty, _)| ty)
    }
    /// Whether an error in the head of a function has been reported.
    pub fn is_broken(&self, name: &str) -> bool {
        self.broken.contains(name)
    }
    /// Where the name of a function of this module is defined.
    pub fn head_of(&self, name: &str) -> Option<Span> {
        self.declared(name).map(|(_, span)| *span)
    }
    /// In alphabetical order.
    pub fn function_names(&self) -> Vec<&str> {
        self.asks.set(true);
        let mut names: Vec<&str> =
            self.functions.keys().filter(|(table, _)| *table == self.table).map(|(_, name)| name.as_str()).collect();
        names.sort_unstable();
        names
    }
    /// The result types of the function that is being read.
    pub fn returned(&self) -> &[Type] {
        &self.returns
    }
}
