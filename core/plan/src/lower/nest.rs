//! The loops of one term of a dense or inherited result, and their updates of it.

use super::{ArrayBinding, Lowerer, ScalarBinding, combine::TermValue};
use crate::iterate::{Iterates, Nest, OperandId, Term};
use nnz_base::ids::{Dim, IndexVar};
use nnz_kernel::{Expr, ReduceOp};
use nnz_loops::{ArrayId, Binary, ExprId, ForKind, Stmt, Type, VarId};

/// The target of a nest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Destination {
    /// The entries of a dense result.
    Result,
    /// The values of a result that has the entries of this operand.
    Entries(OperandId),
}

/// The contents of the target before the nest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Before {
    /// Nothing of use: the nest initialises it.
    Nothing,
    Initialised,
}

/// How a value gets into the target.
#[derive(Clone, Copy)]
enum Update {
    Replace,
    Add { negated: bool },
}

/// A nest while its loops are made.
struct Walker<'n> {
    nest: &'n Nest,
    target: Destination,
    before: Before,
    /// The register that sums over the loops which do not change the entry.
    sum: Option<VarId>,
    /// The entry that was written last, where neighbours may write the same one.
    carried: Option<Carried>,
}

/// The value that an iteration carries to the next, which avoids a store-to-load stall.
#[derive(Clone, Copy)]
struct Carried {
    value: VarId,
    /// The place of the entry in the target; before the first iteration no valid place.
    at: VarId,
}

impl Walker<'_> {
    fn stores_once(&self) -> bool {
        self.before == Before::Nothing && self.nest.placement.stores_once()
    }
    /// Whether the target is initialised inside the first `at` loops.
    fn initialises_at(&self, at: usize) -> bool {
        self.before == Before::Nothing && !self.stores_once() && self.nest.placement.covering == at
    }
}

impl<'k> Lowerer<'k> {
    pub(super) fn nest(&mut self, nest: &'k Nest, target: Destination, before: Before) {
        self.reset_cursors();
        self.order = &nest.order;
        self.leader = nest.leader;
        let mut walker = Walker { nest, target, before, sum: None, carried: None };
        if walker.initialises_at(0) {
            self.initialise_rest(&walker);
        }
        self.in_parts_of(nest.placement.parts, |this| this.loops(&mut walker, &nest.term.body, 0));
        self.coordinates.clear();
    }

    /// The loops from the `at`th on.
    fn loops(&mut self, walker: &mut Walker<'_>, expr: &Expr, at: usize) {
        if at > 0 && walker.initialises_at(at) {
            self.initialise_rest(walker);
        }
        let nest = walker.nest;
        if at == nest.placement.accumulate_after && at < nest.graph.loops.len() {
            self.accumulate(walker, expr, at);
        } else {
            self.one_loop(walker, expr, at);
        }
    }

    /// The loops from the `at`th on, added up in a register and stored once.
    fn accumulate(&mut self, walker: &mut Walker<'_>, expr: &Expr, at: usize) {
        let once = walker.stores_once();
        let sums = self.plan.combine == ReduceOp::Sum;
        // The sum starts from the stored value, so that additions keep their order. A stored zero need not be read.
        let fresh = walker.before == Before::Nothing && !walker.nest.placement.comes_back;
        let goes_on = !sums || !fresh || !self.dense_terms().is_empty();
        let start = match once {
            true => self.initial(walker.target),
            false if goes_on => self.before(walker),
            false => self.zero(),
        };
        let sum = self.accumulator("sum", start);
        walker.sum = Some(sum);
        self.one_loop(walker, expr, at);
        walker.sum = None;
        let value = TermValue { value: self.b.var(sum), guard: None };
        let replaces = once || goes_on;
        self.add_to_target(walker, value, if replaces { Update::Replace } else { Update::Add { negated: false } });
    }

    fn one_loop(&mut self, walker: &mut Walker<'_>, expr: &Expr, at: usize) {
        let nest = walker.nest;
        let Some(next) = nest.graph.loops.get(at) else { return self.innermost(walker, expr) };
        if nest.placement.carrying.is_some_and(|around| around.index() == at) {
            walker.carried = Some(self.nothing_carried());
        }
        let kind = if at == 0 && nest.placement.parallel { ForKind::Parallel } else { ForKind::Serial };
        let more = at + 1 < nest.graph.loops.len();
        let mut inside = |this: &mut Self, expr: &Expr| {
            if more {
                this.hoist_entries(expr);
            }
            this.loops(walker, expr, at + 1);
        };
        match next.iterates {
            Iterates::Var(var) => self.var_loop(var, kind, expr, &mut inside),
            Iterates::Level { operand, .. } => {
                self.level_loop(operand, kind, &mut |this| this.look_up(expr, &mut inside));
            }
        }
    }

    fn innermost(&mut self, walker: &Walker<'_>, expr: &Expr) {
        let Term { negated, summed, .. } = &walker.nest.term;
        let (negated, indices) = (*negated, &self.kernel.result().indices);
        self.expect_bound(summed.iter().chain(indices).copied());
        match walker.sum {
            Some(var) => {
                let (so_far, value) = (self.b.var(var), self.term_value(expr));
                let value = self.taken_in(Some(so_far), negated, value);
                self.b.push(Stmt::Assign { var, value });
            }
            None if walker.stores_once() => {
                let initial = self.initial_term(walker.target);
                let (value, negated) = match initial {
                    None => self.first_term_value(expr, negated),
                    Some(_) => (self.term_value(expr), negated),
                };
                let value = TermValue { value: self.taken_in(initial, negated, value), guard: None };
                self.add_to_target(walker, value, Update::Replace);
            }
            // A sum with the zero that stands there would lose the sign of -0.
            None if self.writes_first(walker) => {
                let (value, negated) = self.first_term_value(expr, negated);
                let value = TermValue { value: self.taken_in(None, negated, value), guard: None };
                self.add_to_target(walker, value, Update::Replace);
            }
            None => {
                let value = self.term_value(expr);
                self.add_to_target(walker, value, Update::Add { negated });
            }
        }
    }

    /// Whether each entry still holds its initial zero when the nest writes it.
    fn writes_first(&self, walker: &Walker<'_>) -> bool {
        let first = walker.before == Before::Nothing && self.dense_terms().is_empty();
        first && walker.nest.placement.distinct && self.plan.combine == ReduceOp::Sum
    }

    /// The value that the entry has already.
    fn before(&mut self, walker: &Walker<'_>) -> ExprId {
        let (array, at) = self.target_entry(walker);
        self.b.load(array, at)
    }

    fn add_to_target(&mut self, walker: &Walker<'_>, value: TermValue, update: Update) {
        let (array, at) = self.target_entry(walker);
        let value = match update {
            Update::Replace => value.value,
            Update::Add { negated } => {
                let before = self.b.load(array, at);
                match walker.carried {
                    None => self.taken_in(Some(before), negated, value),
                    Some(carried) => self.added_to_carried(carried, (before, at), negated, value),
                }
            }
        };
        self.b.store(array, at, value);
    }

    fn nothing_carried(&mut self) -> Carried {
        let (zero, nowhere) = (self.zero(), self.b.index(-1));
        Carried { value: self.accumulator("last", zero), at: self.accumulator_of("last.at", Type::Index, nowhere) }
    }

    /// Adds `value` to the entry at `at`. If that is not the carried entry, its old value is `before`, from memory.
    fn added_to_carried(
        &mut self,
        carried: Carried,
        (before, at): (ExprId, ExprId),
        negated: bool,
        value: TermValue,
    ) -> ExprId {
        let (last, last_at) = (self.b.var(carried.value), self.b.var(carried.at));
        let same = self.b.binary(Binary::Eq, at, last_at);
        let before = self.b.select(same, last, before);
        let value = self.taken_in(Some(before), negated, value);
        self.b.push(Stmt::Assign { var: carried.value, value });
        self.b.push(Stmt::Assign { var: carried.at, value: at });
        last
    }

    fn target_entry(&mut self, walker: &Walker<'_>) -> (ArrayId, ExprId) {
        let array = self.result_array();
        let at = match walker.target {
            Destination::Result => self.offset(self.kernel.result().tensor, &walker.nest.target),
            Destination::Entries(operand) => self.cursor(operand).place.position,
        };
        (array, at)
    }

    pub(super) fn result_array(&mut self) -> ArrayId {
        self.parameters.array(&mut self.b, ArrayBinding::Result)
    }

    /// What an entry is before the first nest adds to it.
    fn initial(&mut self, target: Destination) -> ExprId {
        let initial = self.initial_term(target);
        initial.unwrap_or_else(|| self.nothing())
    }

    fn initial_term(&mut self, target: Destination) -> Option<ExprId> {
        match target {
            Destination::Result => self.everywhere(),
            Destination::Entries(_) => None,
        }
    }

    /// Initialises the part of the target that lies below the covering loops.
    fn initialise_rest(&mut self, walker: &Walker<'_>) {
        let covered = &walker.nest.placement.covered;
        let vars = self.dense_vars();
        let rest: Vec<IndexVar> = vars.iter().copied().filter(|var| !covered.contains(var)).collect();
        self.initialise(&rest, covered.is_empty());
    }

    /// Stores the terms that visit every coordinate, at every value of `rest`; `outermost` if no loop is
    /// around. Without such terms it stores zeros, which need no coordinates.
    pub(super) fn initialise(&mut self, rest: &[IndexVar], outermost: bool) {
        let indices = self.kernel.result().indices.clone();
        let tensor = self.kernel.result().tensor;
        if outermost && self.dense_terms().is_empty() {
            let array = self.result_array();
            let entries = self.entries(tensor, &indices);
            let first = self.b.index(0);
            let nothing = self.nothing();
            return self.fill(array, [first, entries], nothing, ForKind::Parallel);
        }
        let kind = if outermost { ForKind::Parallel } else { ForKind::Serial };
        let named = self.loops.len();
        self.dense_loops(rest, kind, &mut |this| {
            let value = this.everywhere();
            let value = value.unwrap_or_else(|| this.nothing());
            let (array, at) = (this.result_array(), this.offset(tensor, &indices));
            this.b.store(array, at, value);
        });
        if self.dense_terms().is_empty() {
            // Loops that only clear cannot be scheduled.
            self.loops.truncate(named);
        }
    }

    /// The entries of an inherited result that no loop reaches, the padding of blocks, are zero.
    pub(super) fn clear_padding(&mut self, operand: OperandId) {
        let (levels, exact) = {
            let operand = self.operand(operand);
            let exact = (0..operand.indices.len()).all(|at| self.is_exact(operand, Dim::new(at)));
            (operand.encoding.levels().iter().all(|level| level.expr.as_var().is_some()), exact)
        };
        if levels && exact {
            return;
        }
        let entries = self.parameters.scalar(&mut self.b, ScalarBinding::ResultEntries);
        let (array, first, zero) = (self.result_array(), self.b.index(0), self.zero());
        self.fill(array, [first, entries], zero, ForKind::Parallel);
    }

    pub(super) fn fill(&mut self, array: ArrayId, range: [ExprId; 2], value: ExprId, kind: ForKind) {
        let var = self.b.local("at", Type::Index);
        let at = self.b.var(var);
        self.for_loop(var, range, kind, |this| this.b.store(array, at, value));
    }

    /// `value`, or a `let` of it if it is not a variable or a literal.
    pub(super) fn named(&mut self, name: &str, value: ExprId) -> ExprId {
        if self.b.is_simple(value) {
            return value;
        }
        let var = self.b.define(name, Type::Index, value);
        self.b.var(var)
    }
}
