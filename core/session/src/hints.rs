//! Hints of a statement: collected, and reported early if the following step takes long.

use nnz_base::diagnostic::Diagnostic;

pub(super) struct Hints<'a> {
    found: Vec<Diagnostic>,
    /// How many of them were told.
    told: usize,
    ahead: &'a mut dyn FnMut(&Diagnostic),
}

impl<'a> Hints<'a> {
    pub(super) fn new(found: Vec<Diagnostic>, ahead: &'a mut dyn FnMut(&Diagnostic)) -> Hints<'a> {
        Hints { found, told: 0, ahead }
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    pub(super) fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.found.extend(diagnostics);
    }

    /// Reports, before long work, the hints that were not reported yet.
    pub(super) fn tell(&mut self) {
        self.found.iter().skip(self.told).for_each(&mut self.ahead);
        self.told = self.found.len();
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
