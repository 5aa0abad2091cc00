//! Sparse results in parts: ranges of the outermost variable that run in parallel.
//!
//! Each part appends from its own place, which a counting run has computed, and reports where it ends. Each
//! part has its own region of a workspace. The runner cuts the values so that the parts take about equally
//! long.

use super::{ArrayBinding, Lowerer, ScalarBinding, levels::Level};
use crate::iterate::{Assembly, OperandId};
use nnz_base::ids::{IndexVar, Lvl};
use nnz_loops::{ArrayId, ExprId, ForKind, Type, VarId};

/// The part that the loops are in.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The outermost variable.
    var: IndexVar,
    number: ExprId,
}

impl<'k> Lowerer<'k> {
    /// A parallel loop over all parts around what `body` emits, if there are parts.
    pub(super) fn in_parts(&mut self, assembly: &Assembly, body: impl FnOnce(&mut Self)) {
        let outermost = assembly.rows.first().filter(|_| assembly.in_parts);
        self.in_parts_of(outermost.map(|row| row.var), body);
    }

    /// The same if a variable is cut.
    pub(super) fn in_parts_of(&mut self, var: Option<IndexVar>, body: impl FnOnce(&mut Self)) {
        let Some(var) = var else { return body(self) };
        let parts = self.parameters.scalar(&mut self.b, ScalarBinding::Parts);
        let counter = self.b.local("part", Type::Index);
        let (number, zero) = (self.b.var(counter), self.b.index(0));
        self.for_loop(counter, [zero, parts], ForKind::Parallel, |this| {
            this.part = Some(Part { var, number });
            body(this);
            this.part = None;
        });
    }

    /// The values of `var` that its loop visits.
    pub(super) fn values_of(&mut self, var: IndexVar) -> [ExprId; 2] {
        let window = self.window.filter(|(other, _)| *other == var);
        match (window, self.part.filter(|part| part.var == var)) {
            (Some((_, range)), _) => range,
            (None, Some(part)) => self.cut(ArrayBinding::Cuts, part),
            (None, None) => [self.b.index(0), self.extent(var)],
        }
    }

    /// The positions of an operand's next level that the loop over `var` visits, if the loop is cut.
    pub(super) fn positions_in_part(&mut self, id: OperandId, level: &Level, var: IndexVar) -> Option<[ExprId; 2]> {
        let part = self.part.filter(|part| part.var == var && self.next_level(id) == Lvl::new(0))?;
        let tensor = self.operand(id).tensor;
        (!level.format.is_full()).then(|| self.cut(ArrayBinding::OperandCuts(tensor), part))
    }

    fn cut(&mut self, binding: ArrayBinding, part: Part) -> [ExprId; 2] {
        let array = self.parameters.array(&mut self.b, binding);
        let one = self.b.index(1);
        let next = self.b.add(part.number, one);
        [part.number, next].map(|at| self.b.load(array, at))
    }

    /// The index of the part's number for the `at`th level among those of all parts.
    pub(super) fn slot(&mut self, assembly: &Assembly, at: usize) -> ExprId {
        let at = self.b.index(i64::try_from(at).unwrap_or(i64::MAX));
        let Some(part) = self.part else { return at };
        self.slot_of(assembly, part.number, at)
    }

    fn slot_of(&mut self, assembly: &Assembly, part: ExprId, at: ExprId) -> ExprId {
        let levels = self.b.index(i64::try_from(assembly.rows.len()).unwrap_or(i64::MAX));
        let first = self.b.mul(part, levels);
        self.b.add(first, at)
    }

    /// The part's first entry in an array that has `size` for every part.
    pub(super) fn region(&mut self, size: ExprId) -> Option<ExprId> {
        let part = self.part?;
        Some(self.b.mul(part.number, size))
    }

    /// A variable that starts as the number of positions of the `at`th level before the part.
    pub(super) fn first_position(&mut self, assembly: &Assembly, at: usize, name: &str) -> VarId {
        let value = match self.part {
            None => self.b.index(0),
            Some(_) => {
                let starts = self.parameters.array(&mut self.b, ArrayBinding::Starts);
                let slot = self.slot(assembly, at);
                self.b.load(starts, slot)
            }
        };
        self.accumulator_of(name, Type::Index, value)
    }

    /// The one segment of an outermost level that appends ends where the last part does.
    pub(super) fn close_outermost(&mut self, assembly: &Assembly, segments: ArrayId) {
        let ends = self.parameters.array(&mut self.b, ArrayBinding::Ends);
        let parts = self.parameters.scalar(&mut self.b, ScalarBinding::Parts);
        let (zero, one) = (self.b.index(0), self.b.index(1));
        let last = self.b.sub(parts, one);
        let slot = self.slot_of(assembly, last, zero);
        let end = self.b.load(ends, slot);
        self.b.store(segments, one, end);
    }
}
