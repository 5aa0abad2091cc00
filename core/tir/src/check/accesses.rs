//! How elements are found: what is searched for, and what cannot be.

use nnz_base::{diagnostic::Code, source::Span};

use super::Checker;
use crate::sites::{Site, loads, sites};
use crate::{
    model::{Access, Iterator, IteratorId, IteratorKind, Stage},
    resolve::{How, resolve, runs},
};

impl Checker<'_> {
    pub(super) fn accesses(&mut self) {
        if self.function.stage() != Some(Stage::I) {
            return;
        }
        let mut told: Vec<(String, usize)> = Vec::new();
        for site in sites(self.function).iter().filter(|site| !site.around.is_empty()) {
            for access in loads(site.statement).into_iter().chain(site.statement.written()) {
                // One element that is read in several places is told once.
                let key = (self.source.slice(access.place.0).to_string(), site.around.len());
                if !told.contains(&key) {
                    told.push(key);
                    self.access(site, access);
                }
            }
        }
    }

    fn access(&mut self, site: &Site<'_>, access: &Access) {
        let found = resolve(self.function, &site.around, access);
        let buffer = self.function.buffer(access.buffer);
        for (at, _) in found.iter().enumerate().filter(|(_, how)| **how == How::Searched) {
            let iterator = self.function.iterator(buffer.iterators()[at]);
            let index = &access.indices[at];
            let over = index.as_variable().and_then(|variable| runs(&site.around, variable));
            let running = over.map(|(running, _)| running);
            let over = running.map(|running| self.function.iterator(running.iterator));
            match over {
                _ if !iterator.is_sorted() => self.unsorted(iterator, access.place.0),
                Some(over) if is_dense(over) && !is_dense(iterator) => {
                    self.dense(
                        iterator,
                        over,
                        (
                            access.place.0,
                            running
                                .map(|running| running.place.0)
                                .filter(|_| self.may_run(site, buffer.iterators()[at])),
                        ),
                    );
                }
                Some(over) if over.is_compressed() && over.indices() != iterator.indices() => {
                    self.two_structures(iterator, over, access.place.0);
                }
                Some(_) | None => self.search(iterator, access.place.0, index.place.0),
            }
        }
    }

    /// Whether an iterator could run here: its ancestors do, and it does not.
    fn may_run(&self, site: &Site<'_>, id: IteratorId) -> bool {
        let running: Vec<IteratorId> =
            site.around.iter().flat_map(|iteration| iteration.running().map(|running| running.iterator)).collect();
        self.function.path(id).iter().all(|above| running.contains(above) != (*above == id))
    }

    fn unsorted(&mut self, iterator: &Iterator, place: Span) {
        let message =
            format!("the coordinate of `{}` is searched for, and its coordinates are not sorted", iterator.name);
        let told = self.mistake(Code::UnsortedSearch, place, message).label("found by search alone");
        let told = told.secondary(iterator.place.0, "declared with `sorted=False`");
        self.tell(told.help(format!("iterate over `{}` and use its name, or sort the coordinates", iterator.name)));
    }

    fn dense(&mut self, iterator: &Iterator, over: &Iterator, (place, list): (Span, Option<Span>)) {
        let message = format!("`{}` is searched for every coordinate of the dense `{}`", iterator.name, over.name);
        let told = self.mistake(Code::DenseForCompressed, place, message).label("most are not stored");
        let told = told.secondary(iterator.place.0, "stores few of them");
        let instead = format!("iterate over `{}` instead of `{}`", iterator.name, over.name);
        self.tell(match list {
            Some(list) => told.fix(instead, list, iterator.name.clone()),
            None => told.help(instead),
        });
    }

    fn two_structures(&mut self, iterator: &Iterator, over: &Iterator, place: Span) {
        let message =
            format!("`{}` and `{}` are two structures, and only `{}` is iterated", over.name, iterator.name, over.name);
        let told = self.mistake(Code::SparseTimesSparse, place, message);
        let told = told.label(format!("what only `{}` stores is not visited", iterator.name));
        let told = told.secondary(iterator.place.0, "the other structure");
        self.tell(told.help("declare an iterator over the union of both coordinates, and iterate over it"));
    }

    fn search(&mut self, iterator: &Iterator, place: Span, index: Span) {
        let message = format!("the coordinate of `{}` is searched for", iterator.name);
        let told = self.mistake(Code::NeedsSearch, place, message).label(self.steps(iterator));
        self.tell(
            told.secondary(index, "not the name of the iterator's own coordinate")
                .secondary(iterator.place.0, "the iterator"),
        );
    }

    /// How many steps a search takes.
    fn steps(&self, iterator: &Iterator) -> String {
        match &iterator.kind {
            IteratorKind::CompressedFixed { columns, .. } => {
                format!("about log2({}) steps for each", self.source.slice(columns.place.0))
            }
            IteratorKind::DenseFixed
            | IteratorKind::DenseVaried { .. }
            | IteratorKind::CompressedVaried { .. }
            | IteratorKind::Flatten { .. } => "about log2 of the row's entries steps for each".to_string(),
        }
    }
}

fn is_dense(iterator: &Iterator) -> bool {
    !iterator.is_compressed()
}
