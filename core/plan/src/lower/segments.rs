//! The segments of a sparse result: the positions where its levels' entries begin and end.

use super::{
    ArrayBinding, Lowerer,
    assemble::{Assembler, Purpose},
};
use crate::iterate::Fill;
use nnz_loops::{Binary, ExprId, ForKind, Type};

impl Lowerer<'_> {
    /// Initialises positions to zero: the first, or all if parents may be skipped.
    pub(super) fn open_segments(&mut self, assembler: &Assembler<'_>) {
        if assembler.purpose == Purpose::Count {
            return;
        }
        for (at, _) in assembler.appending() {
            let array = self.positions_of(assembler, at);
            let (zero, one) = (self.b.index(0), self.b.index(1));
            match assembler.assembly.skips_parents(at).then(|| self.parents(assembler, at)).flatten() {
                None => self.b.store(array, zero, zero),
                Some(parents) => {
                    let end = self.b.add(parents, one);
                    let var = self.b.local("at", Type::Index);
                    let position = self.b.var(var);
                    self.for_loop(var, [zero, end], ForKind::Serial, |this| this.b.store(array, position, zero));
                }
            }
        }
    }

    /// The segment of the `at`th row below `parent` ends here.
    pub(super) fn close_segment(&mut self, assembler: &Assembler<'_>, at: usize, parent: ExprId) {
        let Some(counter) = assembler.counter(at) else { return };
        if assembler.purpose == Purpose::Fill {
            let array = self.positions_of(assembler, at);
            let one = self.b.index(1);
            let (next, count) = (self.b.add(parent, one), self.b.var(counter));
            self.b.store(array, next, count);
        }
    }

    /// Segments of parents that were skipped end where the one before ends; the outermost ends where the
    /// last part does.
    pub(super) fn close_segments(&mut self, assembler: &Assembler<'_>) {
        if assembler.purpose == Purpose::Count {
            return;
        }
        if assembler.assembly.in_parts && assembler.appending().first().is_some_and(|(at, _)| *at == 0) {
            let segments = self.positions_of(assembler, 0);
            self.close_outermost(assembler.assembly, segments);
        }
        for (at, _) in assembler.appending() {
            let Some(parents) = assembler.assembly.skips_parents(at).then(|| self.parents(assembler, at)).flatten()
            else {
                continue;
            };
            let array = self.positions_of(assembler, at);
            let (zero, one) = (self.b.index(0), self.b.index(1));
            let var = self.b.local("at", Type::Index);
            let position = self.b.var(var);
            self.for_loop(var, [zero, parents], ForKind::Serial, |this| {
                let next = this.b.add(position, one);
                let (before, end) = (this.b.load(array, position), this.b.load(array, next));
                let end = this.b.binary(Binary::Max, before, end);
                this.b.store(array, next, end);
            });
        }
    }

    /// How many positions the level above the `at`th row has, where only dense ones are above.
    fn parents(&mut self, assembler: &Assembler<'_>, at: usize) -> Option<ExprId> {
        let above = &assembler.assembly.rows[..at];
        let first_dense = above.iter().rposition(|row| row.fill != Fill::Dense).map_or(0, |at| at + 1);
        let one = self.b.index(1);
        let above_dense = match first_dense.checked_sub(1) {
            None => one,
            Some(at) => {
                let count = self.b.var(assembler.counter(at)?);
                self.capped(assembler, count)
            }
        };
        let sizes: Vec<ExprId> = above[first_dense..].iter().map(|row| self.extent(row.var)).collect();
        Some(sizes.into_iter().fold(above_dense, |product, size| self.b.mul(product, size)))
    }

    fn positions_of(&mut self, assembler: &Assembler<'_>, at: usize) -> nnz_loops::ArrayId {
        let binding = ArrayBinding::ResultPositions(assembler.assembly.rows[at].lvl);
        self.parameters.array(&mut self.b, binding)
    }

    /// Reports the ends of the positions: one number per level, 0 for those that append nothing.
    pub(super) fn report_ends(&mut self, assembler: &Assembler<'_>) {
        let array = self.parameters.array(&mut self.b, ArrayBinding::Ends);
        for (at, counter) in assembler.counters.iter().enumerate() {
            let slot = self.slot(assembler.assembly, at);
            let end = counter.map(|counter| self.b.var(counter));
            let end = end.unwrap_or_else(|| self.b.index(0));
            let end = self.end_if_roomy(assembler, end);
            self.b.store(array, slot, end);
        }
    }
}
