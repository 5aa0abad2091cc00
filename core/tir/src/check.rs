//! What is wrong, or doubtful, in a function that could be read.

mod stage;
mod structure;
mod iterations;
mod accesses;
mod results;
mod sizes;
mod maps;
mod unused;

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::{Source, Span},
};

use crate::{model::Function, read::Read};

/// Everything that is told of a function, in no order.
pub(crate) fn check(source: &Source, read: &Read) -> Vec<Diagnostic> {
    let mut checker = Checker { source, read, function: &read.function, told: Vec::new() };
    checker.stage();
    checker.structure();
    checker.iterations();
    checker.accesses();
    checker.results();
    checker.sizes();
    checker.maps();
    if read.whole {
        checker.unused();
    }
    checker.told
}

struct Checker<'c> {
    source: &'c Source,
    read: &'c Read,
    function: &'c Function,
    told: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn tell(&mut self, told: Diagnostic) {
        self.told.push(told);
    }
    fn mistake(&self, code: Code, place: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, self.source.id, place, message)
    }
}
