//! Parallel loops one behind the other over the same numbers, as one: what initializes rows, and what adds to them.
//!
//! They are joined if no two different turns of the two touch the same element. The first loop waits for the next
//! statement before it becomes one itself.

use nnz_loops::{ExprId, ForKind, Stmt, VarId};

use super::{Emission, independent::Part};

/// A parallel loop at the top of a function.
pub(super) struct Top {
    pub(super) var: VarId,
    pub(super) bounds: [ExprId; 2],
    pub(super) body: Vec<Stmt>,
    /// The loops that it is made of.
    pub(super) parts: Vec<Part>,
}

impl Emission<'_> {
    /// Keeps a loop until the next statement, joined with the one that is kept.
    pub(super) fn keep(&mut self, top: Top) {
        let kept = match self.kept.take() {
            Some(before) if self.are_one(&before, &top) => {
                let var = self.b.var(top.var);
                let first = Stmt::Let { var: before.var, value: var };
                let body = [first].into_iter().chain(before.body).chain(top.body).collect();
                let parts = [before.parts, top.parts].concat();
                Top { body, parts, ..top }
            }
            before => {
                self.kept = before;
                self.release();
                top
            }
        };
        self.kept = Some(kept);
    }

    /// Makes a statement of the loop that is kept.
    pub(super) fn release(&mut self) {
        if let Some(Top { var, bounds: [lo, hi], body, .. }) = self.kept.take() {
            self.b.push(Stmt::For { var, lo, hi, kind: ForKind::Parallel, body });
        }
    }

    /// Before a statement at the top that is no such loop.
    pub(super) fn interrupt(&mut self) {
        if self.inside == 0 {
            self.release();
        }
    }

    fn are_one(&self, before: &Top, after: &Top) -> bool {
        let parts = [before.parts.as_slice(), after.parts.as_slice()].concat();
        before.bounds == after.bounds && self.are_independent(&parts)
    }
}
