//! An operation that is being read.

use std::sync::Arc;

use crate::{
    attribute::{Attribute, Attributes},
    ir::{Label, Operand, Region},
    mistake::{Mistake, Read},
    operation::OpDef,
    types::Type,
};
use nnz_base::source::Span;

/// An operation so far; syntax fills it in, `verify` checks it.
#[derive(Debug)]
pub struct Draft {
    pub def: &'static OpDef,
    /// The operation's name in the text.
    pub span: Span,
    pub operands: Vec<Operand>,
    pub segments: Vec<usize>,
    pub results: Vec<Type>,
    pub attributes: Attributes,
    pub regions: Vec<Option<Region>>,
    /// The blocks that a branch leads to.
    pub successors: Vec<Label>,
    /// The type that ends the operation: the result's, in most.
    pub(crate) last_type: Option<Span>,
    /// The whole text, for names of values.
    pub(crate) text: Arc<str>,
    /// The constant value of each operand, if it has one; filled in for `verify`.
    pub(crate) known: Vec<Option<i128>>,
}

impl Draft {
    pub(crate) fn new(def: &'static OpDef, span: Span) -> Draft {
        Draft {
            def,
            span,
            operands: Vec::new(),
            segments: Vec::new(),
            results: Vec::new(),
            attributes: Attributes::default(),
            regions: Vec::new(),
            successors: Vec::new(),
            last_type: None,
            text: Arc::default(),
            known: Vec::new(),
        }
    }
    /// An empty draft of the same operation, for parts that are read before others.
    pub fn of(other: &Draft) -> Draft {
        Draft { text: other.text.clone(), ..Draft::new(other.def, other.span) }
    }
    pub fn name(&self) -> &'static str {
        self.def.name
    }
    /// A mistake of the operation as a whole.
    pub fn mistake(&self, message: impl Into<String>) -> Mistake {
        Mistake::new(nnz_base::diagnostic::Code::OperationForm, self.span, message).label("in this operation")
    }
    /// A mistake of the result's type.
    pub(crate) fn wrong_result(&self, message: impl Into<String>) -> Mistake {
        Mistake::new(nnz_base::diagnostic::Code::OperationForm, self.result_span(), message)
            .label("the type of the result")
    }
    /// The place of the result's type.
    pub(crate) fn result_span(&self) -> Span {
        self.last_type.unwrap_or(self.span)
    }
    /// The place of the operation's name, without the quotes of the generic syntax.
    pub fn name_span(&self) -> Span {
        match self.text.get(self.span.range()).is_some_and(|text| text.starts_with('"')) {
            true => Span::new(self.span.start as usize + 1, self.span.end as usize - 1),
            false => self.span,
        }
    }
    /// The text behind a place.
    pub(crate) fn text_after(&self, place: Span) -> Option<&str> {
        self.text.get(place.end as usize..)
    }
    /// The text up to a place.
    pub fn text_before(&self, place: Span) -> Option<&str> {
        self.text.get(..place.start as usize)
    }
    /// The name of an operand in the text.
    pub fn name_of(&self, operand: &Operand) -> &str {
        self.text.get(operand.span.range()).unwrap_or("this operand")
    }
    /// Adds a group of operands.
    pub fn group(&mut self, operands: Vec<Operand>) {
        self.segments.push(operands.len());
        self.operands.extend(operands);
    }
    /// The operands of a group.
    pub(crate) fn group_of(&self, at: usize) -> &[Operand] {
        let from: usize = self.segments.iter().take(at).sum();
        let len = self.segments.get(at).copied().unwrap_or(0);
        self.operands.get(from..from + len).unwrap_or_default()
    }
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.get(name)
    }
    /// The element type of operand `at`.
    pub fn element(&self, at: usize) -> Option<nnz_base::element::Element> {
        self.operands.get(at).and_then(|operand| operand.ty.element())
    }
    /// # Errors
    /// Fewer operands.
    pub fn operand(&self, at: usize) -> Read<&Operand> {
        self.operands.get(at).ok_or_else(|| self.mistake(format!("`{}` takes more operands", self.name())))
    }
    /// The one result's type.
    ///
    /// # Errors
    /// No result, or several.
    pub fn result(&self) -> Read<&Type> {
        match &self.results[..] {
            [ty] => Ok(ty),
            other => Err(self.mistake(format!("`{}` has one result, not {}", self.name(), other.len()))),
        }
    }
    /// The integer value of operand `at`, if it is constant; an `index` has a sign, as in constants.
    pub fn known(&self, at: usize) -> Option<i128> {
        let number = self.known.get(at).copied().flatten()?;
        let signed = i64::try_from(number).or_else(|_| u64::try_from(number).map(u64::cast_signed));
        Some(signed.map_or(number, i128::from))
    }
    /// A mistake of an attribute.
    pub fn wrong(&self, attribute: &str, message: impl Into<String>) -> Mistake {
        let span = self.attributes.span(attribute).unwrap_or(self.span);
        Mistake::new(nnz_base::diagnostic::Code::OperationForm, span, message).label(format!("this `{attribute}`"))
    }
    /// A mistake of an item of an attribute that is a list.
    pub(crate) fn wrong_item(&self, attribute: &str, at: usize, message: impl Into<String>) -> Mistake {
        let item = self.attributes.item_span(attribute, at).or(self.attributes.span(attribute));
        let mistake = Mistake::new(nnz_base::diagnostic::Code::OperationForm, item.unwrap_or(self.span), message);
        mistake.label(format!("of `{attribute}`"))
    }
    /// The place of an attribute's name in the text, before its value.
    pub(crate) fn attribute_name(&self, name: &str) -> Option<Span> {
        let before = self.text_before(self.attributes.span(name)?)?;
        let named = before.trim_end().strip_suffix('=')?.trim_end();
        named.ends_with(name).then(|| Span::new(named.len() - name.len(), named.len()))
    }
    pub fn region(&self, at: usize) -> Option<&Region> {
        self.regions.get(at)?.as_ref()
    }
    pub fn arguments(&self, region: usize) -> &[Operand] {
        self.regions.get(region).and_then(|region| region.as_ref()).map_or(&[], |region| &region.arguments)
    }
}
