//! Hints of a statement: collected, and reported early if the following step takes long.

use super::Event;
use nnz_base::{diagnostic::Diagnostic, ids::FileId, source::Span};
use nnz_run::Hidden;

pub(super) struct Hints<'a> {
    found: Vec<Diagnostic>,
    /// How many of them were reported.
    told: usize,
    sink: &'a mut dyn FnMut(Event<'_>),
}

impl<'a> Hints<'a> {
    pub(super) fn new(found: Vec<Diagnostic>, sink: &'a mut dyn FnMut(Event<'_>)) -> Hints<'a> {
        Hints { found, told: 0, sink }
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Keeps a cost from so many steps on; what takes long is reported at once.
    pub(super) fn tell_cost(&mut self, cost: &Hidden, from: u64, (file, span): (FileId, Span)) {
        if cost.is_told_from(from) {
            self.push(cost.hint(file, span));
        }
        if cost.is_told() {
            self.tell();
        }
    }

    pub(super) fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.found.extend(diagnostics);
    }

    /// Reports, before long work, the hints that were not reported yet.
    pub(super) fn tell(&mut self) {
        self.found.iter().skip(self.told).for_each(|hint| (self.sink)(Event::Ahead(hint)));
        self.told = self.found.len();
    }

    /// Reports what a program prints, while it runs.
    pub(super) fn print(&mut self, text: &str) {
        (self.sink)(Event::Printed(text));
    }

    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Drops the hints after the first `kept`, except those reported already.
    pub(super) fn truncate(&mut self, kept: usize) {
        self.found.truncate(kept.max(self.told));
    }

    /// All hints, and the number of those reported already.
    pub(super) fn into_parts(self) -> (Vec<Diagnostic>, usize) {
        (self.found, self.told)
    }
}
