//! Declarations of iterators.

use nnz_base::diagnostic::Code;
use ruff_python_ast as py;

use super::{
    arguments::Given,
    names::{Meaning, Thing},
    python::{items, one_or_more, span},
    reader::Reader,
};
use crate::{
    members::Member,
    model::{Expr, Iterator, IteratorId, IteratorKind, ParamId, Place, Width},
};

/// Whether a member declares an iterator.
pub(super) fn is_iterator(member: Member) -> bool {
    use Member::{CompressedFixed, CompressedVaried, DenseFixed, DenseVaried, Flatten};
    [DenseFixed, DenseVaried, CompressedFixed, CompressedVaried, Flatten].contains(&member)
}

impl<'a> Reader<'a> {
    /// `I = T.sp.dense_fixed(…)`.
    pub(super) fn iterator(&mut self, target: &'a py::Expr, call: &'a py::ExprCall) -> Option<()> {
        let name = self.target(target)?;
        let made = self.given(call).and_then(|given| self.iterator_of(&given));
        let Some((length, width, kind)) = made else {
            self.break_names(target);
            return None;
        };
        let (id, place) = (IteratorId::new(self.function.iterators.len()), span(name));
        self.declare(&name.id, place, Thing::Iterator(id));
        self.function.iterators.push(Iterator { name: name.id.to_string(), place: Place(place), length, width, kind });
        Some(())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only iterators come here")]
    fn iterator_of(&mut self, given: &Given<'a>) -> Option<(Expr, Width, IteratorKind)> {
        let width = self.width(given);
        let (length, kind) = match given.row.member {
            Member::DenseFixed => (self.integer(given.get("length")?)?, IteratorKind::DenseFixed),
            Member::DenseVaried => self.dense_varied(given)?,
            Member::CompressedFixed => self.compressed_fixed(given)?,
            Member::CompressedVaried => self.compressed_varied(given)?,
            _ => self.flatten(given)?,
        };
        Some((length, width?, kind))
    }

    fn dense_varied(&mut self, given: &Given<'a>) -> Option<(Expr, IteratorKind)> {
        let parent = self.iterator_named(given.get("parent")?);
        let shape = one_or_more(given.get("shape")?);
        let length = self.integer(shape.first()?);
        let count = match shape.get(1) {
            Some(count) => Some(self.integer(count)?),
            None => None,
        };
        self.at_most_two(shape)?;
        let indptr = self.handle(given.get("indptr")?);
        Some((length?, IteratorKind::DenseVaried { parent: parent?, count, indptr: indptr? }))
    }

    fn at_most_two(&mut self, shape: &[py::Expr]) -> Option<()> {
        let Some(extra) = shape.get(2) else { return Some(()) };
        let told = self.mistake(Code::ScriptArguments, span(extra), "a shape is a length and a count");
        self.wrong(told.label("one too many").help("write `(length, nnz)`"))
    }

    fn compressed_fixed(&mut self, given: &Given<'a>) -> Option<(Expr, IteratorKind)> {
        let parent = self.iterator_named(given.get("parent")?);
        let shape = self.pair(given.get("shape")?, "(length, columns)");
        let indices = self.handle(given.get("indices")?);
        let sorted = self.sorted(given);
        let (length, columns) = shape?;
        Some((length, IteratorKind::CompressedFixed { parent: parent?, columns, indices: indices?, sorted: sorted? }))
    }

    fn compressed_varied(&mut self, given: &Given<'a>) -> Option<(Expr, IteratorKind)> {
        let parent = self.iterator_named(given.get("parent")?);
        let shape = self.pair(given.get("shape")?, "(length, nnz)");
        let arrays = self.arrays(given.get("data")?);
        let sorted = self.sorted(given);
        let ((length, count), (indptr, indices)) = (shape?, arrays?);
        let (parent, sorted) = (parent?, sorted?);
        Some((length, IteratorKind::CompressedVaried { parent, count, indptr, indices, sorted }))
    }

    fn flatten(&mut self, given: &Given<'a>) -> Option<(Expr, IteratorKind)> {
        let members: Vec<_> = one_or_more(given.get("axes")?).iter().map(|axis| self.iterator_named(axis)).collect();
        let length = self.integer(given.get("nnz")?);
        let offsets = self.handle(given.get("offsets")?);
        let members = members.into_iter().collect::<Option<Vec<_>>>()?;
        Some((length?, IteratorKind::Flatten { members, offsets: offsets? }))
    }

    /// Two integers.
    fn pair(&mut self, expr: &'a py::Expr, form: &str) -> Option<(Expr, Expr)> {
        let Some([one, other]) = items(expr) else {
            let told = self.mistake(Code::ScriptArguments, span(expr), format!("the shape is `{form}`"));
            return self.wrong(told.label("not two numbers").help(format!("write `{form}`")));
        };
        let (one, other) = (self.integer(one), self.integer(other));
        Some((one?, other?))
    }

    /// Where positions begin, and the coordinates.
    fn arrays(&mut self, expr: &'a py::Expr) -> Option<(ParamId, ParamId)> {
        let Some([indptr, indices]) = items(expr) else {
            let told = self.mistake(Code::ScriptHandle, span(expr), "a compressed varied iterator has two arrays");
            return self.wrong(told.label("not two handles").help("write `(indptr, indices)`"));
        };
        let (indptr, indices) = (self.handle(indptr), self.handle(indices));
        Some((indptr?, indices?))
    }

    /// A parameter that passes an array.
    pub(super) fn handle(&mut self, expr: &'a py::Expr) -> Option<ParamId> {
        let name = expr.as_name_expr();
        let meaning = name.map(|name| self.meaning(name));
        match meaning {
            Some(Some(Meaning::Thing(Thing::Param(param)))) => Some(param),
            Some(None | Some(Meaning::Broken)) => None,
            Some(Some(Meaning::Thing(_) | Meaning::Known(_) | Meaning::Function(_))) | None => {
                let message = format!("`{}` is no handle", self.text(span(expr)));
                let told = self.mistake(Code::ScriptHandle, span(expr), message).label("no array of the caller");
                self.wrong(told.help("add a parameter of type `T.handle`, and name it here"))
            }
        }
    }

    fn sorted(&mut self, given: &Given<'a>) -> Option<bool> {
        let Some(sorted) = given.get("sorted") else { return Some(true) };
        let value = sorted.as_boolean_literal_expr().map(|literal| literal.value);
        value.or_else(|| {
            let told = self.mistake(Code::ScriptArguments, span(sorted), "`sorted` is `True` or `False`");
            self.wrong(told.label("neither of the two"))
        })
    }

    fn width(&mut self, given: &Given<'a>) -> Option<Width> {
        let Some(written) = given.get("idtype") else { return Some(Width::I32) };
        let element = self.element(written)?;
        Width::of(element).or_else(|| {
            let told = self.mistake(Code::ScriptType, span(written), "coordinates are of type `int32` or `int64`");
            let told = told.label("no type of coordinates");
            self.wrong(told.fix("count with 32 bits", span(written), "\"int32\""))
        })
    }

    /// An iterator that is declared above.
    pub(super) fn iterator_named(&mut self, expr: &'a py::Expr) -> Option<IteratorId> {
        let name = expr.as_name_expr();
        let meaning = name.map(|name| self.meaning(name));
        match meaning {
            Some(Some(Meaning::Thing(Thing::Iterator(id)))) => Some(id),
            Some(None | Some(Meaning::Broken)) => None,
            Some(Some(Meaning::Thing(_) | Meaning::Known(_) | Meaning::Function(_))) | None => {
                let message = format!("`{}` is no iterator", self.text(span(expr)));
                let told = self.mistake(Code::ScriptUndeclared, span(expr), message).label("no iterator");
                self.wrong(told.help("declare one above: `I = T.sp.dense_fixed(n)`"))
            }
        }
    }
}
