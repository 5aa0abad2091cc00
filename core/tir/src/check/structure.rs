//! Arrays of iterators, and iterators of buffers.

use nnz_base::{diagnostic::Code, source::Span};

use super::Checker;
use crate::model::{
    Buffer, BufferId, Expr, Iterator, IteratorId, IteratorKind, Layout, Origin, ParamId, Sparse, Stage,
};
use crate::sites::sites;

/// What a handle passes.
#[derive(PartialEq)]
enum Use {
    Indptr,
    Indices,
}

impl Checker<'_> {
    pub(super) fn structure(&mut self) {
        self.shared_handles();
        for buffer in &self.function.buffers {
            if let Layout::Sparse(sparse) = &buffer.layout {
                self.path(buffer, sparse);
                self.branches(buffer, sparse);
            }
        }
        self.written_structure();
        self.mixed_up_lengths();
    }

    /// The handles of iterators, each with what it passes and how many elements that has, if an expression tells.
    fn structure_handles(&self) -> Vec<(ParamId, Use, IteratorId, Option<Expr>)> {
        let mut handles = Vec::new();
        for id in self.function.iterator_ids() {
            let iterator = self.function.iterator(id);
            if let (Some(indptr), Some(parent)) = (iterator.indptr(), iterator.parent()) {
                handles.push((indptr, Use::Indptr, id, self.function.count(parent)));
            }
            handles.extend(iterator.indices().map(|indices| (indices, Use::Indices, id, self.function.count(id))));
        }
        handles
    }

    fn shared_handles(&mut self) {
        let handles = self.structure_handles();
        for (at, (param, role, id, count)) in handles.iter().enumerate() {
            let other = handles[..at].iter().find(|(other, ..)| other == param);
            if let Some((_, before, first, size)) = other
                && (before != role || size != count)
            {
                self.handle_twice(*param, self.function.iterator(*first), self.function.iterator(*id));
            }
        }
        if self.function.stage() == Some(Stage::I) {
            handles.iter().for_each(|(param, _, id, _)| self.values_too(*param, *id));
        }
    }

    fn handle_twice(&mut self, param: ParamId, first: &Iterator, second: &Iterator) {
        let handle = &self.function.param(param).name;
        let message = format!("`{handle}` passes an array of `{}` and another of `{}`", first.name, second.name);
        let told = self.mistake(Code::ScriptHandleTwice, second.place.0, message).label("arrays of different sizes");
        let told = told.secondary(first.place.0, "the first");
        self.tell(told.help("add a handle to the parameters"));
    }

    /// The structure of an iterator that holds values, too.
    fn values_too(&mut self, param: ParamId, id: IteratorId) {
        let iterator = self.function.iterator(id);
        let holds = |buffer: &&Buffer| buffer.origin == Origin::Handle(param);
        let Some(buffer) = self.function.buffers.iter().find(holds).filter(|buffer| !is_written(self, buffer)) else {
            return;
        };
        let handle = &self.function.param(param).name;
        let message =
            format!("`{handle}` passes the structure of `{}` and the values of `{}`", iterator.name, buffer.name);
        let told = self.mistake(Code::ScriptHandleTwice, buffer.place.0, message).label("values of this buffer");
        let told = told.secondary(iterator.place.0, "structure of this iterator");
        self.tell(told.help("add a handle to the parameters"));
    }

    /// Ancestors stand before a varied iterator.
    fn path(&mut self, buffer: &Buffer, sparse: &Sparse) {
        for (at, id) in sparse.iterators.iter().enumerate() {
            let iterator = self.function.iterator(*id);
            let above = self.function.path(*id);
            let missing = above.iter().find(|above| *above != id && !sparse.iterators[..at].contains(above));
            if let Some(missing) = missing.filter(|_| iterator.is_varied()) {
                let place = sparse.places.get(at).map_or(buffer.place.0, |place| place.0);
                self.no_path(buffer, (iterator, place), self.function.iterator(*missing));
            }
        }
    }

    fn no_path(&mut self, buffer: &Buffer, (iterator, place): (&Iterator, Span), missing: &Iterator) {
        let (name, above) = (&iterator.name, &missing.name);
        let message = format!("`{}` is over `{name}` without its ancestor `{above}`", buffer.name);
        let told =
            self.mistake(Code::BufferPath, place, message).label(format!("`{above}` tells where its rows begin"));
        let told = told.secondary(missing.place.0, "the ancestor");
        let is_dense = |other: &&Iterator| other.kind == IteratorKind::DenseFixed && other.length == iterator.length;
        let dense = self.function.iterators.iter().find(is_dense);
        self.tell(match dense {
            Some(dense) => told.fix(format!("use the dense `{}`", dense.name), place, dense.name.clone()),
            None => {
                let length = self.source.slice(iterator.length.place.0);
                told.help(format!("if all coordinates are there, declare `{name}_dense = T.sp.dense_fixed({length})`"))
            }
        });
    }

    /// A varied iterator behind one that is not its parent lies at the same place for all of its rows.
    fn branches(&mut self, buffer: &Buffer, sparse: &Sparse) {
        for pair in sparse.iterators.windows(2) {
            let [before, id] = pair else { continue };
            let (first, iterator) = (self.function.iterator(*before), self.function.iterator(*id));
            let is_branch = first.is_varied() && iterator.is_varied() && iterator.parent() == first.parent();
            if is_branch && iterator.parent() != Some(*before) {
                let message =
                    format!("the rows of `{}` in `{}` do not depend on `{}`", iterator.name, buffer.name, first.name);
                let told =
                    self.mistake(Code::BranchingParents, buffer.place.0, message).label("rows lie over each other");
                let told = told.secondary(iterator.place.0, format!("its parent is not `{}`", first.name));
                self.tell(
                    told.help(format!("give `{}` the parent `{}` and an array of its own", iterator.name, first.name)),
                );
            }
        }
    }

    fn written_structure(&mut self) {
        for site in sites(self.function) {
            let Some(target) = site.statement.written() else { continue };
            let buffer = self.function.buffer(target.buffer);
            let Some(iterator) = structure_of(self, buffer) else { continue };
            let message = format!("`{}` is the structure of `{}`, and only read", buffer.name, iterator.name);
            let told = self.mistake(Code::StructureWritten, target.place.0, message).label("written here");
            let told = told.secondary(iterator.place.0, "the iterator that it belongs to");
            self.tell(told.help("write to a buffer with a handle of its own"));
        }
    }

    /// A count that is the length of another iterator, and a length that is none.
    fn mixed_up_lengths(&mut self) {
        for iterator in &self.function.iterators {
            let count = match &iterator.kind {
                IteratorKind::DenseVaried { count, .. } => count.as_ref(),
                IteratorKind::CompressedVaried { count, .. } => Some(count),
                IteratorKind::DenseFixed | IteratorKind::CompressedFixed { .. } | IteratorKind::Flatten { .. } => None,
            };
            let is_length = |length: &Expr| {
                self.function
                    .iterators
                    .iter()
                    .any(|other| other.kind == IteratorKind::DenseFixed && other.length == *length)
            };
            let Some(count) = count.filter(|count| count.as_variable().is_some() && is_length(count)) else { continue };
            if is_length(&iterator.length) {
                continue;
            }
            let place = iterator.length.place.0.cover(count.place.0);
            let (length, count) = (self.source.slice(iterator.length.place.0), self.source.slice(count.place.0));
            let message = format!("`{count}` is the length of another iterator, and counts positions here");
            let told = self.mistake(Code::MixedUpLength, place, message).label("length and count");
            self.tell(told.fix("exchange the two", place, format!("{count}, {length}")));
        }
    }
}

fn structure_of<'f>(checker: &Checker<'f>, buffer: &Buffer) -> Option<&'f Iterator> {
    let Origin::Handle(param) = buffer.origin else { return None };
    let mut iterators = checker.function.iterators.iter();
    iterators.find(|iterator| iterator.indptr() == Some(param) || iterator.indices() == Some(param))
}

/// Whether a statement writes to a buffer, which is told by itself.
fn is_written(checker: &Checker<'_>, buffer: &Buffer) -> bool {
    let is_it = |id: BufferId| std::ptr::eq(checker.function.buffer(id), buffer);
    sites(checker.function).iter().any(|site| site.statement.written().is_some_and(|target| is_it(target.buffer)))
}
