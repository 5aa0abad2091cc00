//! Regions and operations in the text, and the forms of syntax that many operations share.

use super::{Draft, Mistake, Read, Reader, scope::Use};
use crate::{
    attribute::Attribute,
    inherent,
    ir::{Block, Ending, Label, Op, Operand, Region, Successor},
    operation::{OpDef, Role},
    types::Type,
};
use nnz_base::{
    diagnostic::{Code, counted, did_you_mean},
    source::Span,
};
use nnz_check::renamed;
use nnz_syntax::{self as syntax, TokenKind};

/// A name for one or several results: `%r`, `%r:2`.
struct ResultName<'c> {
    name: Use<'c>,
    count: usize,
}

impl<'c> Reader<'c> {
    /// `{ ^bb0(%a: T): operations }`; `arguments` are those that the operation's own syntax names.
    ///
    /// # Errors
    /// Missing brackets. Mistakes within are reported, not returned.
    pub fn region(&mut self, arguments: Vec<(Use<'c>, Type)>) -> Read<Region> {
        self.scoped_region(|r| {
            let region = Region { arguments: r.declare_arguments(arguments), ..Region::default() };
            r.region_body(region)
        })
    }

    /// As [`Reader::region`], for a region whose block takes values of the types `takes`. A label that differs is
    /// reported here once, not again where the values are used.
    ///
    /// # Errors
    /// As [`Reader::region`].
    pub fn region_taking(&mut self, name: &str, takes: &[Type]) -> Read<Region> {
        self.scoped_region(|r| r.taking(name, takes))
    }

    fn scoped_region(&mut self, body: impl FnOnce(&mut Self) -> Read<Region>) -> Read<Region> {
        self.nested(|r| {
            r.open_brace()?;
            let inside = r.at;
            if let Some(holder) = r.holders.last_mut() {
                (holder.regions, holder.inside) = (holder.regions + 1, inside);
            }
            r.open_scope();
            let region = body(r);
            r.close_scope();
            region
        })
    }

    pub(super) fn region_body(&mut self, mut region: Region) -> Read<Region> {
        let known = self.mistakes();
        let named = !region.arguments.is_empty();
        if self.at_label() {
            if named {
                let message = "the first block has no label, as its arguments have names already";
                self.report(Mistake::syntax(self.span(), message).label("a second list of arguments"));
            }
            region.arguments.extend(self.block_label()?);
        }
        region.operations = self.operations(&mut region.ending);
        while self.at_label() {
            region.others.push(self.block()?);
        }
        if self.at(TokenKind::Arrow) && self.begins_line() {
            // The region is open.
            let behind = Span::at(self.last_span().end as usize);
            self.report(Mistake::syntax(behind, syntax::mlir::OPEN_REGION));
        } else {
            self.expect(TokenKind::RBrace)?;
        }
        let whole = self.mistakes() == known;
        self.link(&mut region, whole);
        Ok(region)
    }

    /// Up to the end of the block; whether the last one is broken.
    fn operations(&mut self, ending: &mut Ending) -> Vec<Op> {
        let mut operations = Vec::new();
        let mut ended = false;
        while !self.at_end() && !self.at_label() {
            if self.at(TokenKind::RBrace) {
                if ended || !self.at_stray_brace() {
                    break;
                }
                self.stray_brace();
                continue;
            }
            if ended && self.at(TokenKind::Arrow) && self.begins_line() {
                break;
            }
            let meant = self.at_end_of_region();
            let operation = self.operation_or_recover();
            *ending = match operation {
                Some(_) => Ending::Whole,
                None if meant => Ending::BrokenTerminator,
                None => Ending::Broken,
            };
            ended = operation.as_ref().is_some_and(|op| op.def.is_terminator());
            operations.extend(operation);
        }
        operations
    }

    /// At an operation that ends regions, or is meant to.
    fn at_end_of_region(&self) -> bool {
        let name = self.text().trim_matches('"');
        let last = name.rsplit('.').next().unwrap_or_default();
        OpDef::lookup(name).is_some_and(OpDef::is_terminator)
            || ["return", "yield"].iter().any(|end| nnz_base::diagnostic::distance(last, end) <= 2)
    }

    fn block(&mut self) -> Read<Block> {
        let label = Label { name: format!("^{}", self.text().trim_start_matches('^')), span: self.span() };
        let arguments = self.block_label()?;
        Ok(Block { label, arguments, operations: self.operations(&mut Ending::default()) })
    }

    /// `^bb0(%a: T, %b: T):`
    fn block_label(&mut self) -> Read<Vec<Operand>> {
        self.label_name();
        let arguments = if self.at(TokenKind::LParen) { self.parenthesized(Self::typed_name)? } else { Vec::new() };
        self.expect(TokenKind::Colon)?;
        Ok(self.declare_arguments(arguments))
    }

    pub(super) fn declare_arguments(&mut self, arguments: Vec<(Use<'c>, Type)>) -> Vec<Operand> {
        let mut declared = Vec::new();
        for (name, ty) in arguments {
            let values = self.define(name, vec![ty.clone()]);
            declared.extend(values.into_iter().map(|value| Operand::new(value, ty.clone(), name.span)));
        }
        declared
    }

    /// `%a: T`
    ///
    /// # Errors
    /// Anything else.
    pub fn typed_name(&mut self) -> Read<(Use<'c>, Type)> {
        let name = self.value_use()?;
        Ok((name, self.colon_type()?))
    }

    fn operation_or_recover(&mut self) -> Option<Op> {
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
        let operation = self.operation(&names);
        self.holders.truncate(holders);
        match operation {
            Ok(op) => Some(op),
            Err(mistake) => {
                let first = mistake.undefined_value();
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

    /// `1 = arith.constant ...`: an error, behind which `%1` is what is meant.
    fn note_name_without_sign(&mut self) {
        if matches!(self.peek(), TokenKind::Int | TokenKind::Ident) && self.nth(1) == TokenKind::Eq {
            self.scope.without_sign.insert(self.text());
        }
    }

    /// Reports the other values that are not defined, of an operation of which one is not: up to the end of its line.
    fn report_undefined_behind(&mut self, first: Span) {
        let from = self.tokens.partition_point(|token| token.span().start <= first.start);
        let mut said = vec![self.checked.source.slice(first)];
        for at in from..self.tokens.len() {
            let token = self.tokens[at];
            if self.line_begins_at(at) || matches!(token.kind(), TokenKind::LBrace | TokenKind::CaretId) {
                return;
            }
            let defines = self.tokens.get(at + 1).is_some_and(|next| next.kind() == TokenKind::Eq);
            if token.kind() == TokenKind::PercentId
                && !defines
                && !said.contains(&token.text())
                && let Err(mistake) = self.lookup(Use { name: token.text(), span: token.span() })
            {
                said.push(token.text());
                self.report(mistake);
            }
        }
    }

    fn semicolon(&mut self) {
        // The check has told that it is no part of MLIR.
        self.bump();
    }

    /// `^bb1`
    ///
    /// # Errors
    /// Another token.
    pub fn label(&mut self) -> Read<Label> {
        let span = self.span();
        let name = self.word_of(TokenKind::CaretId, "a block, `^name`")?.to_string();
        Ok(Label { name, span })
    }

    /// Goes on behind the broken operation: at the next that begins a line, outside of its brackets.
    fn recover(&mut self, start: usize) {
        self.at = start;
        loop {
            self.skip_group();
            let begins = matches!(self.peek(), TokenKind::PercentId | TokenKind::Ident | TokenKind::String);
            let block = self.at_label() && self.begins_line();
            if self.at_stray_brace() {
                continue;
            }
            let ends = block || matches!(self.peek(), TokenKind::RBrace | TokenKind::Eof);
            if ends || begins && self.begins_line() && self.at_operation() {
                return;
            }
        }
    }

    /// A name of an operation, or results and `=`, rather than an operand that begins a line.
    fn at_operation(&self) -> bool {
        match self.peek() {
            TokenKind::Ident if self.nth(1) == TokenKind::Eq => self.nth_text(2).contains('.'),
            TokenKind::Ident => {
                let line = |ahead: usize| self.line_begins_at(self.at + ahead) || self.nth(ahead) == TokenKind::Eof;
                self.text().contains('.')
                    || matches!(self.text(), "return" | "call")
                    || (self.nth(1) == TokenKind::PercentId || line(1)) && !CONTINUES.contains(&self.text())
            }
            TokenKind::String => true,
            _ => {
                let mut ahead = 0;
                while matches!(
                    self.nth(ahead),
                    TokenKind::PercentId | TokenKind::Comma | TokenKind::Colon | TokenKind::Int
                ) {
                    ahead += 1;
                }
                self.nth(ahead) == TokenKind::Eq
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
            let count = if r.eat(TokenKind::Colon) { r.integer()?.clamp(1, 1024) as usize } else { 1 };
            Ok(ResultName { name, count })
        })?;
        if !self.at(TokenKind::Eq) {
            return Err(self.no_equals(names));
        }
        self.bump();
        Ok(names)
    }

    /// Names without `=`: those that are new are known as broken.
    fn no_equals(&mut self, names: Vec<ResultName<'c>>) -> Mistake {
        let mistake = self.expected("`=`").label("no `=` before this");
        for ResultName { name, count } in names {
            if !self.is_defined(name) {
                self.define(name, vec![Type::Broken; count]);
            }
        }
        if self.begins_line() || !(self.at(TokenKind::String) || self.text().contains('.')) {
            return mistake;
        }
        mistake.fix("insert `=`", Span::at(self.last_span().end as usize), " =")
    }

    fn operation(&mut self, names: &[ResultName<'c>]) -> Read<Op> {
        let span = self.span();
        let mut draft = if self.at(TokenKind::String) { self.generic_operation(span)? } else { self.custom(span)? };
        draft.last_type = Some(self.last_type).filter(|ty| ty.end == self.last_span().end);
        draft.known = draft.operands.iter().map(|operand| self.scope.number(operand.value)).collect();
        // What does not fit a type that is broken has been told of.
        let broken = draft.results.iter().any(Type::is_broken);
        draft.verify().map_err(|mistake| if broken { Mistake::told() } else { mistake })?;
        let told = |region: &Region| region.told || region.ending == Ending::BrokenTerminator;
        if draft.regions.iter().flatten().any(told) {
            return Err(Mistake::told());
        }
        self.finish(draft, names)
    }

    fn custom(&mut self, span: Span) -> Read<Draft> {
        if !self.at(TokenKind::Ident) && self.begins_line() && !self.at_end() {
            return Err(self.no_operation());
        }
        if self.goes_on_behind_operation() {
            let mistake = Mistake::syntax(span, format!("expected the end of the operation, found `{}`", self.text()));
            return Err(mistake.label("text too many"));
        }
        let name = self.word_of(TokenKind::Ident, "an operation")?;
        let def = OpDef::lookup(renamed(name).unwrap_or(name)).ok_or_else(|| self.unknown(name, span))?;
        let mut draft = Draft::new(def, span);
        draft.text = self.checked.source.text.clone();
        self.enter(&draft)?;
        (def.syntax)(self, &mut draft)?;
        inherent::kinds(&draft)?;
        Ok(draft)
    }

    /// At a word on the line of an operation that has ended, which is none itself.
    fn goes_on_behind_operation(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|before| self.tokens.get(before)).map(|token| token.kind());
        let begins = matches!(before, Some(TokenKind::LBrace | TokenKind::RBrace | TokenKind::Colon | TokenKind::Eq));
        let text = self.text();
        let named = text.contains('.') || did_you_mean(text, ["return", "call"]).is_some();
        self.at(TokenKind::Ident) && !begins && !self.begins_line() && !named
    }

    /// A line of a region that begins with something else.
    fn no_operation(&self) -> Mistake {
        let (found, span) = (self.text(), self.span());
        let mistake = Mistake::syntax(span, format!("expected an operation, found `{found}`"));
        if self.at(TokenKind::Int) && self.nth(1) == TokenKind::Eq {
            let meant = format!("%{found}");
            return mistake.label("not a value's name").fix(format!("write `{meant}`"), span, meant);
        }
        mistake.label("no operation begins so")
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
        let op = Op { def, span, operands, segments, results, result_types, attributes, regions, successors };
        self.scope.remember(&op);
        Ok(op)
    }

    /// `"name"(%a, %b) <{...}> ({region}, {region}) {...} : (T, T) -> T`
    fn generic_operation(&mut self, span: Span) -> Read<Draft> {
        let name = self.string()?;
        let def = OpDef::lookup(&name).ok_or_else(|| self.unknown(&name, span))?;
        let mut draft = Draft::new(def, span);
        draft.text = self.checked.source.text.clone();
        self.enter(&draft)?;
        let uses = self.parenthesized(Self::value_use)?;
        if self.at(TokenKind::LBracket) {
            draft.successors = self.bracketed(TokenKind::LBracket, TokenKind::RBracket, Self::label)?;
        }
        if self.eat(TokenKind::Lt) {
            draft.attributes = self.dictionary()?;
            self.expect(TokenKind::Gt)?;
        }
        if self.at(TokenKind::LParen) {
            draft.regions = self.parenthesized(Self::optional_region)?;
        }
        draft.attributes.append(self.optional_dictionary()?);
        self.expect(TokenKind::Colon)?;
        let ty = self.function_type()?;
        draft.operands = self.resolve_all(&uses, &ty.inputs)?;
        draft.results = ty.results;
        inherent::check(&draft)?;
        draft.segments = match draft.attribute(inherent::SIZES).and_then(Attribute::as_ints) {
            Some(sizes) => sizes.iter().map(|&size| usize::try_from(size).unwrap_or(0)).collect(),
            None => def.segments(draft.operands.len()),
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
        (def.implied)(&mut draft);
        Ok(draft)
    }

    /// A region that may be omitted if it is empty: `{}`.
    ///
    /// # Errors
    /// As [`Reader::region`].
    pub fn optional_region(&mut self) -> Read<Option<Region>> {
        let region = self.region(Vec::new())?;
        Ok(Some(region).filter(|region| !region.is_empty()))
    }
}

/// Words that go on with an operation where they begin a line.
const CONTINUES: &[&str] =
    &["at", "attrs", "case", "default", "do", "else", "ins", "into", "iter_args", "outs", "step", "to"];

/// Forms of syntax that many operations share.
pub struct Form;

impl Form {
    /// `%a, %b {...} : T`; the results are of that type.
    ///
    /// # Errors
    /// Anything else.
    pub fn same(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
        let uses = r.value_uses()?;
        Form::flags(r, draft)?;
        let ty = r.colon_type()?;
        let place = r.last_type;
        draft.operands = uses.iter().map(|name| r.resolve_typed(*name, &ty, place)).collect::<Read<_>>()?;
        draft.results = vec![ty];
        Ok(())
    }

    /// `fastmath<...> {...}`: the flags that the operation has.
    ///
    /// # Errors
    /// A flag that it lacks; brackets that are not closed.
    pub fn flags(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
        r.flags(draft)?;
        draft.attributes.append(r.optional_dictionary()?);
        Ok(())
    }

    /// `%a {...} : T to U`
    ///
    /// # Errors
    /// Anything else.
    pub fn cast(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
        let name = r.value_use()?;
        Form::flags(r, draft)?;
        let from = r.colon_type()?;
        let place = r.last_type;
        r.expect_word("to")?;
        draft.results = vec![r.ty()?];
        draft.operands = vec![r.resolve_typed(name, &from, place)?];
        Ok(())
    }

    /// `%a, %b {...} : T, U`, or nothing; no results.
    ///
    /// # Errors
    /// Anything else.
    pub fn operands(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
        if r.at(TokenKind::LBrace) {
            draft.attributes = r.dictionary()?;
        }
        if !r.at(TokenKind::PercentId) || r.begins_line() {
            return Ok(());
        }
        let uses = r.value_uses()?;
        draft.attributes.append(r.optional_dictionary()?);
        r.expect(TokenKind::Colon)?;
        let (types, places): (Vec<Type>, Vec<Span>) =
            r.separated(|r| r.ty().map(|ty| (ty, r.last_type)))?.into_iter().unzip();
        let fits = |at: usize| draft.name() == "func.return" && r.returned().get(at) == types.get(at);
        if let Some(at) =
            (0..uses.len().min(types.len())).find(|at| !fits(*at) && r.is_misnamed(uses[*at], &types[*at]))
        {
            return Err(r.wrong_type(uses[at], &types[at], places[at]));
        }
        draft.operands = r.resolve_all(&uses, &types)?;
        Ok(())
    }

    /// `%a {...} : T`, and results that follow from it.
    ///
    /// # Errors
    /// Anything else.
    pub fn unary(r: &mut Reader<'_>, draft: &mut Draft) -> Read<Type> {
        let name = r.value_use()?;
        draft.attributes.append(r.optional_dictionary()?);
        let ty = r.colon_type()?;
        let place = r.last_type;
        draft.operands.push(r.resolve_typed(name, &ty, place)?);
        Ok(ty)
    }

    /// `[%i, %j]`: index operands, and how many.
    ///
    /// # Errors
    /// Anything else.
    pub fn indices(r: &mut Reader<'_>, draft: &mut Draft) -> Read<usize> {
        let uses = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::value_use)?;
        for name in &uses {
            let operand = r.resolve(*name, &Type::INDEX)?;
            draft.operands.push(operand);
        }
        Ok(uses.len())
    }
}
