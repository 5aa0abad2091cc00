//! What has a place, and where it is after an edit.

use crate::{AffineMapSite, CheckedKernel, Definition, EncodingSite, NameUse, TypeSite};
use nnz_base::source::Span;
use nnz_syntax::Edited;

pub(crate) trait Placed: Clone {
    /// Where it starts, by which it is sorted.
    fn start(&self) -> u32;
    fn places(&mut self) -> impl Iterator<Item = &mut Span>;

    /// The same, outside of what was edited.
    fn moved(&self, edited: Edited) -> Self {
        let mut moved = self.clone();
        moved.places().for_each(|span| *span = edited.moved(*span));
        moved
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

pub(crate) fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Those that start in `span`, and how many there are before.
pub(crate) fn range<T: Placed>(sites: &[T], span: Span) -> (usize, &[T]) {
    let first = sites.partition_point(|site| site.start() < span.start);
    let end = sites.partition_point(|site| site.start() < span.end);
    (first, sites.get(first..end).unwrap_or_default())
}

/// Those that start in `span`, as they stand now.
pub(crate) fn moved<T: Placed>(sites: &[T], span: Span, edited: Edited) -> impl Iterator<Item = T> {
    range(sites, span).1.iter().map(move |site| site.moved(edited))
}

/// Those of the function from `part`, and the others from `old`.
pub(crate) fn merged<T: Placed>(old: &[T], part: &[T], edited: Edited) -> Vec<T> {
    let (first, replaced) = range(old, edited.before);
    let (_, put) = range(part, edited.now);
    let behind = old.iter().skip(first + replaced.len());
    let mut all = Vec::with_capacity(old.len() + put.len());
    all.extend(old.iter().take(first).cloned());
    all.extend(put.iter().cloned().chain(behind.map(|site| site.moved(edited))));
    all
}
