//! Elements of buffers, and parts of them.

use nnz_base::diagnostic::{Code, counted};
use ruff_python_ast::{self as py, ExprAttribute, ExprSubscript};

use super::{
    names::{Meaning, Thing},
    python::{int, one_or_more, span},
    reader::Reader,
};
use crate::model::{Access, BufferId, Expr, Place, Range, Region};

impl<'a> Reader<'a> {
    pub(super) fn load(&mut self, whole: &py::Expr, subscript: &'a ExprSubscript) -> Option<Expr> {
        if let py::Expr::Attribute(attribute) = &*subscript.value {
            return self.stride(whole, attribute, &subscript.slice);
        }
        let access = self.access(subscript)?;
        let element = self.function.buffer(access.buffer).element;
        Some(Expr::load(access, element))
    }

    pub(super) fn access(&mut self, subscript: &'a ExprSubscript) -> Option<Access> {
        let buffer = self.buffer(&subscript.value);
        let written = one_or_more(&subscript.slice);
        let indices: Vec<Option<Expr>> = written.iter().map(|index| self.index(index)).collect();
        let buffer = buffer?;
        self.rank(buffer, subscript, written.len())?;
        let indices = indices.into_iter().collect::<Option<Vec<Expr>>>()?;
        Some(Access { place: Place(span(subscript)), buffer, indices })
    }

    fn index(&mut self, index: &'a py::Expr) -> Option<Expr> {
        if index.is_slice_expr() {
            let told =
                self.mistake(Code::ScriptRank, span(index), "an element is read at one coordinate, not at a range");
            return self.wrong(told.label("a range").help("only `T.reads` and `T.writes` take ranges"));
        }
        self.integer(index)
    }

    /// The buffer that a name stands for.
    pub(super) fn buffer(&mut self, expr: &'a py::Expr) -> Option<BufferId> {
        let Some(name) = expr.as_name_expr() else { return self.no_buffer(expr, None) };
        let meaning = self.meaning(name)?;
        match meaning {
            Meaning::Thing(Thing::Buffer(buffer)) => Some(buffer),
            Meaning::Broken => None,
            Meaning::Thing(thing) => self.no_buffer(expr, Some(thing)),
            Meaning::Known(_) | Meaning::Function(_) => self.no_buffer(expr, None),
        }
    }

    fn no_buffer<T>(&mut self, expr: &py::Expr, thing: Option<Thing>) -> Option<T> {
        let name = self.text(span(expr));
        let told = self.mistake(Code::ScriptType, span(expr), format!("`{name}` is no buffer"));
        let (label, help) = match thing {
            Some(Thing::Param(_)) => ("a handle", "bind it with `T.sp.match_buffer`, and use the name of that"),
            Some(Thing::Iterator(_)) => ("an iterator", "buffers are declared over iterators by `T.sp.match_buffer`"),
            Some(Thing::Variable(_) | Thing::Buffer(_)) | None => ("no buffer", "declare it with `T.sp.match_buffer`"),
        };
        self.wrong(told.label(label).help(help))
    }

    fn rank(&mut self, buffer: BufferId, subscript: &ExprSubscript, given: usize) -> Option<()> {
        let declared = self.function.buffer(buffer);
        let (rank, place, name) = (declared.rank(), declared.place.0, declared.name.clone());
        if rank == given {
            return Some(());
        }
        let message = format!("`{name}` has {}, and {} given", counted(rank, "dimension"), are_given(given));
        let told = self.mistake(Code::ScriptRank, span(subscript), message).label(counted(given, "index"));
        self.wrong(told.secondary(place, "declared here").help("give one coordinate for each iterator of the buffer"))
    }

    /// `X.elem_offset`.
    pub(super) fn field(&mut self, whole: &py::Expr, attribute: &'a ExprAttribute) -> Option<Expr> {
        let buffer = self.buffer(&attribute.value)?;
        if attribute.attr.as_str() == "elem_offset" {
            return Some(Expr::offset(Place(span(whole)), buffer));
        }
        let message = format!("a buffer has no number `{}`", attribute.attr);
        let told = self.mistake(Code::UnknownMember, span(&attribute.attr), message).label("no such number");
        self.wrong(told.help("it has `elem_offset` and `strides[k]`; `data` and `access_ptr` are for intrinsics"))
    }

    /// `X.strides[0]`.
    fn stride(&mut self, whole: &py::Expr, attribute: &'a ExprAttribute, slice: &py::Expr) -> Option<Expr> {
        let buffer = self.buffer(&attribute.value)?;
        let dimension = int(slice).and_then(|dimension| u32::try_from(dimension).ok());
        match dimension.filter(|dimension| (*dimension as usize) < self.function.buffer(buffer).rank()) {
            Some(dimension) if attribute.attr.as_str() == "strides" => {
                Some(Expr::stride(Place(span(whole)), buffer, dimension))
            }
            _ => {
                let told = self.mistake(Code::UnknownMember, span(whole), "a buffer has no such field");
                self.wrong(told.label("no such field").help("write `strides[k]`, with `k` a dimension of the buffer"))
            }
        }
    }

    /// A part of a buffer: `B[p, a:b]`.
    pub(super) fn region(&mut self, expr: &'a py::Expr) -> Option<Region> {
        let Some(subscript) = expr.as_subscript_expr() else {
            let told = self.mistake(Code::ScriptArguments, span(expr), "a part of a buffer is wanted here");
            return self.wrong(told.label("no `buffer[…]`").help("write `B[i, 0:n]`"));
        };
        let buffer = self.buffer(&subscript.value);
        let written = one_or_more(&subscript.slice);
        let ranges: Vec<Option<Range>> = written.iter().map(|range| self.range(range)).collect();
        let buffer = buffer?;
        self.rank(buffer, subscript, written.len())?;
        let ranges = ranges.into_iter().collect::<Option<Vec<Range>>>()?;
        Some(Region { place: Place(span(expr)), buffer, ranges })
    }

    fn range(&mut self, expr: &'a py::Expr) -> Option<Range> {
        let Some(slice) = expr.as_slice_expr() else { return Some(Range::Point(self.integer(expr)?)) };
        let (Some(start), Some(end), None) = (&slice.lower, &slice.upper, &slice.step) else {
            let told = self.mistake(Code::ScriptRank, span(expr), "a range has a start and an end, and no step");
            return self.wrong(told.label("not `start:end`"));
        };
        let (start, end) = (self.integer(start), self.integer(end));
        Some(Range::Between(start?, end?))
    }

    /// A domain: an extent, or where it starts and ends.
    pub(super) fn domain(&mut self, expr: &'a py::Expr) -> Option<(Expr, Expr)> {
        if let Some([start, end]) = super::python::items(expr) {
            let (start, end) = (self.integer(start), self.integer(end));
            return self.bounds(start?, end?);
        }
        let end = self.integer(expr)?;
        let zero = Expr::int(Place(span(expr)), 0, end.element());
        Some((zero, end))
    }

    /// Two bounds of one type.
    pub(super) fn bounds(&mut self, start: Expr, end: Expr) -> Option<(Expr, Expr)> {
        let zero = start.as_constant().map(|value| Expr::int(start.place, value, end.element()));
        Expr::unified(zero.unwrap_or(start), end).ok()
    }
}

/// `2 indices are`, for messages.
fn are_given(count: usize) -> String {
    let indices = counted(count, "index");
    if count == 1 { format!("{indices} is") } else { format!("{indices} are") }
}
