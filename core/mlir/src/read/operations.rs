//! Operations in the text, in custom and in generic syntax.

use super::{Entry, Reader, scope::Use};
use crate::{
    attribute::Attribute,
    checks,
    draft::Draft,
    inherent,
    ir::{Ending, Op, Region, Successor},
    mistake::{Mistake, Read},
    operation::{Regions, Role},
    types::Type,
};
use nnz_base::{
    diagnostic::{Code, counted},
    source::Span,
};
use nnz_check::renamed;
use nnz_syntax::TokenKind;

/// A name for one or several results: `%r`, `%r:2`.
pub(super) struct ResultName<'c> {
    pub(super) name: Use<'c>,
    pub(super) count: usize,
}

/// An operation that has been read, and the check for it.
type Begun = (&'static Entry, Draft);

impl<'c> Reader<'c> {
    pub(super) fn operation_or_recover(&mut self) -> Option<Op> {
        if self.at(TokenKind::Semicolon) {
            self.semicolon();
            return None;
        }
        let start = self.at;
        self.note_name_without_sign();
        let scopes = self.scope_depth();
        let names = match self.result_names() {
            Ok(names) => names,
            Err(mistake) => {
                self.report(mistake);
                self.recover(start);
                return None;
            }
        };
        let holders = self.holders.len();
        let name = self.span();
        let operation = self.operation(&names);
        self.holders.truncate(holders);
        match operation {
            Ok(op) => Some(op),
            Err(mistake) => {
                // What the operation lacks stands behind the brace that is missing.
                let mistake = if self.is_behind_open_region() { Mistake::told() } else { mistake };
                let first = mistake.undefined_value().or_else(|| self.unread_operands(&mistake, name));
                self.report(mistake);
                self.truncate_scopes(scopes);
                if let Some(first) = first {
                    self.report_undefined_behind(first);
                }
                for ResultName { name, count } in names {
                    self.define(name, vec![Type::Broken; count]);
                }
                self.recover(start);
                None
            }
        }
    }

    /// `%a, %b:2 =`, or nothing.
    fn result_names(&mut self) -> Read<Vec<ResultName<'c>>> {
        if self.at(TokenKind::Ident) && self.nth(1) == TokenKind::Eq {
            let (name, span) = (self.text(), self.span());
            let mistake = Mistake::syntax(span, format!("a value's name begins with `%`: `%{name}`"));
            return Err(mistake.label("not a value's name").fix(format!("write `%{name}`"), span, format!("%{name}")));
        }
        if !self.at(TokenKind::PercentId) {
            return Ok(Vec::new());
        }
        let names = self.separated(|r| {
            let name = r.value_use()?;
            if r.at(TokenKind::Colon) && r.nth(1) == TokenKind::Eq {
                return Ok(ResultName { name, count: 1 });
            }
            if r.at(TokenKind::Colon) && matches!(r.nth(1), TokenKind::Ident | TokenKind::BangId) {
                return Err(r.no_operation_of(name));
            }
            let count = if r.eat(TokenKind::Colon) { r.integer()?.clamp(1, 1024) as usize } else { 1 };
            Ok(ResultName { name, count })
        })?;
        if self.eat_other_sign() {
            return Ok(names);
        }
        if !self.at(TokenKind::Eq) {
            return Err(self.no_equals(names));
        }
        self.bump();
        Ok(names)
    }

    fn operation(&mut self, names: &[ResultName<'c>]) -> Read<Op> {
        let (span, known) = (self.span(), self.broken_types);
        let (entry, mut draft) =
            if self.at(TokenKind::String) { self.generic_operation(span)? } else { self.custom(span)? };
        self.optional_location();
        draft.last_type = Some(self.last_type).filter(|ty| ty.end == self.last_span().end);
        draft.known = draft.operands.iter().map(|operand| self.scope.number(operand.value)).collect();
        // What does not fit a type that is broken has been told of.
        let told = self.broken_types > known || draft.operands.iter().any(|operand| operand.ty.is_broken());
        let broken = told && draft.results.iter().any(Type::is_broken);
        checks::all(&draft, entry.verify).map_err(|mistake| if broken { Mistake::told() } else { mistake })?;
        let told = |region: &Region| region.told || region.ending == Ending::BrokenTerminator;
        if draft.regions.iter().flatten().any(told) || draft.attributes.are_broken() {
            return Err(Mistake::told());
        }
        self.finish(draft, names)
    }

    fn custom(&mut self, span: Span) -> Read<Begun> {
        if !self.at(TokenKind::Ident) && self.begins_line() && !self.at_end() {
            return Err(self.no_operation());
        }
        if self.goes_on_behind_operation() {
            let mistake = Mistake::syntax(span, format!("expected the end of the operation, found `{}`", self.text()));
            return Err(mistake.label("text too many"));
        }
        if let Some(mistake) = self.infix() {
            return Err(mistake);
        }
        let name = self.word_of(TokenKind::Ident, "an operation")?;
        if name == "func.func" && self.checked.has_syntax_error_in(span) {
            // The check has told that it stands in another function.
            return Err(Mistake::told());
        }
        let entry = self.dialects.lookup(renamed(name).unwrap_or(name)).ok_or_else(|| self.unknown(name, span))?;
        let mut draft = self.draft(entry, span);
        self.enter(&draft)?;
        (entry.syntax)(self, &mut draft)?;
        checks::attributes::kinds(&draft)?;
        Ok((entry, draft))
    }

    fn draft(&self, entry: &'static Entry, span: Span) -> Draft {
        Draft { text: self.checked.source.text.clone(), ..Draft::new(&entry.def, span) }
    }

    fn finish(&mut self, draft: Draft, names: &[ResultName<'c>]) -> Read<Op> {
        let Draft { def, span, operands, segments, results, attributes, regions, successors, .. } = draft;
        if let Some(block) = regions.iter().flatten().find_map(|region| region.others.first())
            && def.name != "scf.execute_region"
        {
            let message = format!("the region of `{}` has one block", def.name);
            return Err(Mistake::new(Code::OperationForm, block.label.span, message)
                .label("a second block")
                .help("functions and `scf.execute_region` may have several"));
        }
        if !successors.is_empty() && def.role != Role::Branch {
            return Err(Mistake::new(Code::OperationForm, span, format!("`{}` does not branch", def.name))
                .label("an operation with successors"));
        }
        let successors = successors.into_iter().map(|label| Successor { label, block: usize::MAX }).collect();
        let wanted: usize = names.iter().map(|name| name.count).sum();
        if wanted > results.len() && operands.iter().any(|operand| operand.ty.is_broken()) {
            return Err(Mistake::told());
        }
        if !names.is_empty() && wanted != results.len() {
            let (has, given) = (counted(results.len(), "result"), if wanted == 1 { "is" } else { "are" });
            let message = format!("`{}` has {has}, and {wanted} {given} named", def.name);
            let label = format!("has {has}");
            return Err(Mistake::new(Code::OperationForm, span, message).label(label));
        }
        let mut left = results.clone().into_iter();
        let mut values = Vec::new();
        for ResultName { name, count } in names {
            let types = left.by_ref().take(*count).collect();
            values.extend(self.define(*name, types));
        }
        values.extend(left.map(|ty| self.unnamed(ty)));
        let (results, result_types) = (values, results);
        let idle = false;
        let op = Op { def, span, operands, segments, results, result_types, attributes, regions, successors, idle };
        self.scope.remember(&op, (self.dialects.constant)(&op));
        Ok(op)
    }

    /// `"name"(%a, %b) <{...}> ({region}, {region}) {...} : (T, T) -> T`
    /// `({...}, {...})`, or nothing.
    fn generic_regions(&mut self, draft: &mut Draft) -> Read<()> {
        if self.at(TokenKind::LParen) {
            if self.nth(1) == TokenKind::RParen {
                self.bump();
                return Err(self.expected("`{`"));
            }
            draft.regions = self.parenthesized(Self::optional_region)?;
        }
        match draft.def.regions {
            Regions::Exactly(count) if count != draft.regions.len() => {
                let (has, given) = (counted(count, "region"), draft.regions.len());
                let verb = if given == 1 { "is" } else { "are" };
                let message = format!("`{}` has {has}, and {given} {verb} given", draft.name());
                Err(draft.mistake(message).label(counted(given, "region")))
            }
            Regions::Exactly(_) | Regions::Any => Ok(()),
        }
    }

    fn generic_operation(&mut self, span: Span) -> Read<Begun> {
        let name = self.string()?;
        let entry = self.dialects.lookup(&name).ok_or_else(|| self.unknown(&name, span))?;
        let mut draft = self.draft(entry, span);
        self.enter(&draft)?;
        let uses = self.uses_in_parentheses()?;
        if self.at(TokenKind::LBracket) {
            draft.successors = self.bracketed(TokenKind::LBracket, TokenKind::RBracket, Self::label)?;
        }
        if self.eat(TokenKind::Lt) {
            draft.attributes = self.dictionary()?;
            self.expect(TokenKind::Gt)?;
        }
        self.generic_regions(&mut draft)?;
        draft.attributes.append(self.optional_dictionary()?);
        self.expect(TokenKind::Colon)?;
        let ty = self.function_type()?;
        draft.operands = self.resolve_all(&uses, &ty.inputs)?;
        draft.results = ty.results;
        checks::attributes::check(&draft)?;
        draft.segments = match draft.attribute(inherent::SIZES).and_then(Attribute::as_ints) {
            Some(sizes) => sizes.iter().map(|&size| usize::try_from(size).unwrap_or(0)).collect(),
            None => entry.def.segments(draft.operands.len()),
        };
        if let Some(cases) = draft.attribute("case_operand_segments").and_then(Attribute::as_ints) {
            // What the cases of a switch hand on, which the sizes of the groups count as one.
            draft.segments.pop();
            draft.segments.extend(cases.iter().map(|&size| usize::try_from(size).unwrap_or(0)));
        }
        if !draft.segments.is_empty() && draft.segments.iter().sum::<usize>() != draft.operands.len() {
            let (sum, has) = (draft.segments.iter().sum::<usize>(), counted(draft.operands.len(), "operand"));
            return Err(draft.wrong(inherent::SIZES, format!("groups of {sum} operands together, and there are {has}")));
        }
        (entry.implied)(&mut draft);
        Ok((entry, draft))
    }
}
