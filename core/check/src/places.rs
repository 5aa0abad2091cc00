//! Things that have a place in a text, and their places after an edit.

use crate::{AffineMapSite, CheckedKernel, Definition, EncodingSite, NameUse, TypeSite, checked::Defined};
use nnz_base::source::Span;
use nnz_syntax::Edited;
use std::{ops::Range, vec};

pub(crate) trait Placed: Clone {
    /// Its start, by which it is sorted.
    fn start(&self) -> u32;
    fn places(&mut self) -> impl Iterator<Item = &mut Span>;

    /// Moves to its new place, outside the edit.
    fn go(&mut self, edited: Edited) {
        self.places().for_each(|span| *span = edited.moved(*span));
    }
}

impl Placed for NameUse {
    fn start(&self) -> u32 {
        self.span.start
    }
    fn places(&mut self) -> impl Iterator<Item = &mut Span> {
        [&mut self.span].into_iter()
    }
}

impl Placed for Definition {
    fn start(&self) -> u32 {
        self.name.start
    }
    fn places(&mut self) -> impl Iterator<Item = &mut Span> {
        [&mut self.name, &mut self.whole].into_iter()
    }
}

impl Placed for TypeSite {
    fn start(&self) -> u32 {
        self.span.start
    }
    fn places(&mut self) -> impl Iterator<Item = &mut Span> {
        [&mut self.span, &mut self.shape].into_iter()
    }
}

impl Placed for EncodingSite {
    fn start(&self) -> u32 {
        self.span.start
    }
    fn places(&mut self) -> impl Iterator<Item = &mut Span> {
        [&mut self.span].into_iter().chain(&mut self.dims).chain(&mut self.levels)
    }
}

impl Placed for AffineMapSite {
    fn start(&self) -> u32 {
        self.span.start
    }
    fn places(&mut self) -> impl Iterator<Item = &mut Span> {
        [&mut self.span].into_iter()
    }
}

impl Placed for CheckedKernel {
    fn start(&self) -> u32 {
        self.span.start
    }
    fn places(&mut self) -> impl Iterator<Item = &mut Span> {
        let steps = self.scheduled.places.iter_mut();
        let steps = steps.flat_map(|step| std::iter::once(&mut step.whole).chain(&mut step.arguments));
        [&mut self.span, &mut self.places.from].into_iter().chain(steps)
    }
}

impl Placed for Defined {
    fn start(&self) -> u32 {
        self.statement.start
    }
    fn places(&mut self) -> impl Iterator<Item = &mut Span> {
        [&mut self.statement].into_iter()
    }
}

pub(crate) fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Those that start in `span`, and how many there are before.
pub(crate) fn range<T: Placed>(sites: &[T], span: Span) -> (usize, &[T]) {
    let range = numbers(sites, span);
    (range.start, sites.get(range).unwrap_or_default())
}

/// The numbers of those that start in `span`.
pub(crate) fn numbers<T: Placed>(sites: &[T], span: Span) -> Range<usize> {
    let first = sites.partition_point(|site| site.start() < span.start);
    let end = sites.partition_point(|site| site.start() < span.end);
    first..end.max(first)
}

/// The results of a check, taken out from first to last. Nothing is copied, because that would touch every shared
/// thing.
pub(crate) struct Rest<T>(vec::IntoIter<T>);

impl<T: Placed> Rest<T> {
    pub(crate) fn of(all: &mut Vec<T>) -> Rest<T> {
        Rest(std::mem::take(all).into_iter())
    }
    /// Those that start in `span`, at their new places. Those before it are dropped.
    pub(crate) fn within(&mut self, span: Span, edited: Edited) -> impl Iterator<Item = T> {
        let Range { start, end } = numbers(self.0.as_slice(), span);
        self.0.by_ref().take(start).for_each(drop);
        self.0.by_ref().take(end - start).map(move |mut site| {
            site.go(edited);
            site
        })
    }
}

/// Those of the function from `part`, and the others from `old`.
pub(crate) fn merged<T: Placed>(mut old: Vec<T>, part: &[T], edited: Edited) -> Vec<T> {
    let replaced = numbers(&old, edited.before);
    old.iter_mut().skip(replaced.end).for_each(|site| site.go(edited));
    old.splice(replaced, range(part, edited.now).1.iter().cloned());
    old
}
