//! Regions and their blocks in the text.

use super::{Reader, scope::Use};
use crate::{
    ir::{Block, Ending, Label, Op, Operand, Region},
    mistake::{Mistake, Read},
    types::Type,
};
use nnz_base::source::Span;
use nnz_syntax::{self as syntax, TokenKind};

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
    pub(crate) fn region_taking(&mut self, name: &str, takes: &[Type]) -> Read<Region> {
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
        let mut first = None;
        if self.at_label() {
            first = Some(self.label_here().name).filter(|_| !self.at_bare_arguments());
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
        } else if self.ends_without_brace() {
            let known = self.without_brace();
            self.ended = (self.at, known + 1);
            let behind = Span::at(self.last_span().end as usize);
            self.report(Mistake::syntax(behind, syntax::mlir::OPEN_BRACE));
        } else {
            self.expect(TokenKind::RBrace)?;
        }
        let whole = self.mistakes() == known;
        self.link(&mut region, first.as_deref(), whole);
        Ok(region)
    }

    /// How many regions have ended here without a brace.
    fn without_brace(&self) -> usize {
        if self.ended.0 == self.at { self.ended.1 } else { 0 }
    }

    /// Whether the check has told that another region ends here, without its brace.
    fn ends_without_brace(&self) -> bool {
        let (errors, end) = (self.checked.tree.errors(), self.last_span().end);
        let first = errors.partition_point(|error| error.span.start < end);
        let here = errors.iter().skip(first).take_while(|error| error.span.start == end);
        here.filter(|error| error.message == syntax::mlir::OPEN_BRACE).count() > self.without_brace()
    }

    /// Whether what is read here is behind a region that has ended without its brace.
    pub(super) fn is_behind_open_region(&self) -> bool {
        self.without_brace() > 0
    }

    /// A region that may be omitted if it is empty: `{}`.
    ///
    /// # Errors
    /// As [`Reader::region`].
    pub(crate) fn optional_region(&mut self) -> Read<Option<Region>> {
        let region = self.region(Vec::new())?;
        Ok(Some(region).filter(|region| !region.is_empty()))
    }

    /// Up to the end of the block; whether the last one is broken.
    fn operations(&mut self, ending: &mut Ending) -> Vec<Op> {
        let mut operations = Vec::new();
        let mut ended = false;
        while !self.at_end() && !self.at_label() && !self.ends_without_brace() {
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
            let start = self.at;
            let operation = self.operation_or_recover();
            *ending = match operation {
                Some(_) => Ending::Whole,
                None if self.ends_region_at(start) => Ending::BrokenTerminator,
                None => Ending::Broken,
            };
            ended = operation.as_ref().is_some_and(|op| op.def.is_terminator());
            operations.extend(operation);
            self.read_to = self.at;
        }
        operations
    }

    /// Whether the operation at `start` ends regions, or is meant to.
    fn ends_region_at(&mut self, start: usize) -> bool {
        let behind = std::mem::replace(&mut self.at, start);
        let ends = self.at_end_of_region();
        self.at = behind;
        ends
    }

    fn at_end_of_region(&self) -> bool {
        let name = self.text().trim_matches('"');
        let last = name.rsplit('.').next().unwrap_or_default();
        // A word without a dialect is none but these.
        let bare = self.at(TokenKind::Ident) && !name.contains('.') && self.nth(1) != TokenKind::Eq && name != "call";
        // `%0 : f64`, without what is done with it.
        let alone = self.at(TokenKind::PercentId) && self.nth(1) == TokenKind::Colon && self.nth(2) == TokenKind::Ident;
        self.dialects.lookup(name).is_some_and(|entry| entry.def.is_terminator())
            || bare
            || alone
            || ["return", "yield"].iter().any(|end| nnz_base::diagnostic::distance(last, end) <= 2)
    }

    fn block(&mut self) -> Read<Block> {
        let label = self.label_here();
        let arguments = self.block_label()?;
        Ok(Block { label, arguments, operations: self.operations(&mut Ending::default()) })
    }

    /// The label at which the reader is, also where it lacks its `^`.
    fn label_here(&self) -> Label {
        Label { name: format!("^{}", self.text().trim_start_matches('^')), span: self.span() }
    }

    /// `^bb0(%a: T, %b: T):`
    fn block_label(&mut self) -> Read<Vec<Operand>> {
        let named = self.label_name();
        let arguments = match self.at(TokenKind::LParen) {
            true => self.parenthesized(Self::typed_name)?,
            false if !named => self.separated(Self::typed_name)?,
            false => Vec::new(),
        };
        self.colon_of_label(named)?;
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
    pub(crate) fn typed_name(&mut self) -> Read<(Use<'c>, Type)> {
        let name = self.value_use()?;
        let ty = self.colon_type()?;
        self.optional_location();
        Ok((name, ty))
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
}
