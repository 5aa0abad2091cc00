//! Declarations of buffers.

use nnz_base::{diagnostic::Code, element::Element, source::Span};
use ruff_python_ast as py;

use super::{
    arguments::Given,
    names::Thing,
    python::{int, one_or_more, span},
    reader::Reader,
};
use crate::{
    members::Member,
    model::{Bits, Buffer, BufferId, Dense, Expr, IteratorId, Layout, Origin, Place, SCOPES, Scope, Sparse},
};

/// Whether a member declares a buffer.
pub(super) fn is_buffer(member: Member) -> bool {
    use Member::{AllocateDense, AllocateSparse, DeclareDense, MatchDense, MatchSparse};
    [MatchSparse, AllocateSparse, MatchDense, AllocateDense, DeclareDense].contains(&member)
}

impl<'a> Reader<'a> {
    /// `A = T.sp.match_buffer(…)`.
    pub(super) fn buffer_declaration(&mut self, target: &'a py::Expr, call: &'a py::ExprCall) -> Option<BufferId> {
        let name = self.target(target)?;
        let made = self.given(call).and_then(|given| self.buffer_of(&name.id, span(name), &given));
        let Some(buffer) = made else {
            self.break_names(target);
            return None;
        };
        Some(self.add_buffer(buffer))
    }

    pub(super) fn add_buffer(&mut self, buffer: Buffer) -> BufferId {
        let id = BufferId::new(self.function.buffers.len());
        self.declare(&buffer.name.clone(), buffer.place.0, Thing::Buffer(id));
        self.function.buffers.push(buffer);
        id
    }

    fn buffer_of(&mut self, name: &str, place: Span, given: &Given<'a>) -> Option<Buffer> {
        let origin = self.origin(given);
        let element = self.element_of(given);
        let scope = self.scope(given);
        let is_sparse = matches!(given.row.member, Member::MatchSparse | Member::AllocateSparse);
        let layout = if is_sparse { self.sparse(given, element?)? } else { Layout::Dense(self.dense(given)?) };
        Some(Buffer {
            name: name.to_string(),
            place: Place(place),
            element: element?,
            scope: scope?,
            origin: origin?,
            layout,
        })
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only buffers come here")]
    fn origin(&mut self, given: &Given<'a>) -> Option<Origin> {
        match given.row.member {
            Member::AllocateSparse | Member::AllocateDense => Some(Origin::Allocated),
            Member::DeclareDense => Some(Origin::Declared),
            _ => {
                let source = given.get("handle")?;
                if source.is_subscript_expr() {
                    return self.region(source).map(Origin::Region);
                }
                self.handle(source).map(Origin::Handle)
            }
        }
    }

    fn element_of(&mut self, given: &Given<'a>) -> Option<Element> {
        given.get("dtype").map_or(Some(Element::F32), |dtype| self.element(dtype))
    }

    fn scope(&mut self, given: &Given<'a>) -> Option<Scope> {
        let Some(scope) = given.get("scope") else { return Some(Scope::GLOBAL) };
        self.word(scope, ("kind of memory", SCOPES), Scope::named)
    }

    fn sparse(&mut self, given: &Given<'a>, element: Element) -> Option<Layout> {
        let axes = given.get("axes")?;
        let iterators = self.axes(axes)?;
        let places = one_or_more(axes).iter().map(|axis| Place(span(axis))).collect();
        let default = match given.get("default_value") {
            Some(value) if !value.is_none_literal_expr() => Some(self.value_of(value, element)?),
            Some(_) | None => None,
        };
        let extra = match given.get("extra_storage") {
            Some(extra) if !extra.is_none_literal_expr() => self.count(extra)?,
            Some(_) | None => 0,
        };
        Some(Layout::Sparse(Sparse { iterators, places, extra, default }))
    }

    fn axes(&mut self, axes: &'a py::Expr) -> Option<Vec<IteratorId>> {
        let written = one_or_more(axes);
        if written.is_empty() {
            let told = self.mistake(Code::ScriptArguments, span(axes), "a sparse buffer is over one iterator at least");
            return self.wrong(told.label("no iterator").help("give a list of iterators: `[I, J]`"));
        }
        let iterators: Vec<_> = written.iter().map(|axis| self.iterator_named(axis)).collect();
        iterators.into_iter().collect()
    }

    fn count(&mut self, expr: &'a py::Expr) -> Option<u32> {
        let count = int(expr).and_then(|count| u32::try_from(count).ok());
        count.or_else(|| {
            let told = self.mistake(Code::ScriptArguments, span(expr), "a count is wanted here");
            self.wrong(told.label("no number of elements"))
        })
    }

    fn dense(&mut self, given: &Given<'a>) -> Option<Dense> {
        let shape = self.integers(given.get("shape")?);
        let strides = given.get("strides").map_or(Some(Vec::new()), |strides| self.integers(strides));
        let offset = match given.get("elem_offset") {
            Some(offset) if !offset.is_none_literal_expr() => Some(self.integer(offset)?),
            Some(_) | None => None,
        };
        let number = |name: &str| given.get(name).and_then(int);
        let bits = Bits { align: number("align"), offset_factor: number("offset_factor") };
        Some(Dense { shape: shape?, strides: strides?, offset, bits })
    }

    pub(super) fn integers(&mut self, expr: &'a py::Expr) -> Option<Vec<Expr>> {
        if expr.is_none_literal_expr() {
            return Some(Vec::new());
        }
        let read: Vec<Option<Expr>> = one_or_more(expr).iter().map(|one| self.integer(one)).collect();
        read.into_iter().collect()
    }

    /// The buffer of a parameter that is one: `A: T.Buffer((n, m), "float32")`.
    pub(super) fn array(
        &mut self,
        name: &str,
        place: Span,
        origin: Origin,
        (shape, dtype): Written<'a>,
    ) -> Option<BufferId> {
        let shape = self.integers(shape)?;
        let element = dtype.map_or(Some(Element::F32), |dtype| self.element(dtype))?;
        let layout = Layout::Dense(Dense { shape, strides: Vec::new(), offset: None, bits: Bits::default() });
        let (name, place) = (name.to_string(), Place(place));
        Some(self.add_buffer(Buffer { name, place, element, scope: Scope::GLOBAL, origin, layout }))
    }
}

/// A shape and an element type.
pub(super) type Written<'a> = (&'a py::Expr, Option<&'a py::Expr>);
