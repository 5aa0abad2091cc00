//! Several iterations of a loop abreast, where each adds up a sum of its own, as
//!
//! ```text
//! for p in lo..hi { var sum = 0; for r in 0..n { sum = sum + u[r] * v[crd[p] * n + r] }; y[p] = sum }
//! ```
//!
//! in a sampled product. Sums in the order written are as slow as one addition after the other; four sums that do not
//! wait for each other take hardly longer than one. Every sum sees the same additions in the same order, so that not
//! one bit of the result changes.

use std::{
    collections::{BTreeSet, HashMap},
    mem::swap,
};

use inkwell::{IntPredicate, values::IntValue};

use super::{
    emit::{Emitted, Emitter, Slot},
    statements::Range,
};
use crate::loops::{ExprId, Function, Stmt, Type, VarId, uses::Uses};

/// How many go abreast.
const ABREAST: u64 = 4;

type Vars<'c> = HashMap<VarId, Slot<'c>>;

impl<'c> Emitter<'_, 'c, '_> {
    /// A serial loop, in the form that suits its body.
    pub(super) fn loop_over(&mut self, range: Range<'c>, body: &[Stmt]) -> Emitted<()> {
        // Where sums may be regrouped LLVM makes vectors of each.
        match own_sums(self.function(), range.var, body) {
            Some(own) if self.unit.freedom.is_none() => self.loop_abreast(range, &own, body),
            _ => self.segment_for(range, body),
        }
    }

    fn loop_abreast(&mut self, range: Range<'c>, own: &BTreeSet<VarId>, body: &[Stmt]) -> Emitted<()> {
        let middle = self.last_whole(range)?;
        let index = self.types().index();
        self.counted(Range { hi: middle, ..range }, ABREAST, |this, counter| {
            let mut all = Vec::new();
            for ahead in 0..ABREAST {
                let at = this.b.build_int_nsw_add(counter, index.const_int(ahead, false), "")?;
                // What an iteration declares is its own.
                let mut vars = this.vars.clone();
                vars.retain(|var, _| !own.contains(var));
                vars.insert(range.var, Slot::index(at));
                all.push(vars);
            }
            this.abreast(&mut all, body)
        })?;
        self.serial_for(Range { lo: middle, ..range }, body).map(drop)
    }

    /// The end of the iterations of a range that go [`ABREAST`].
    fn last_whole(&self, range: Range<'c>) -> Emitted<IntValue<'c>> {
        let index = self.types().index();
        let (zero, mask) = (index.const_zero(), index.const_int(!(ABREAST - 1), true));
        let length = self.b.build_int_sub(range.hi, range.lo, "")?;
        let whole = self.b.build_and(length, mask, "")?;
        let none = self.b.build_int_compare(IntPredicate::SLT, length, zero, "")?;
        let whole = self.b.build_select(none, zero, whole, "")?.into_int_value();
        Ok(self.b.build_int_nsw_add(range.lo, whole, "")?)
    }

    /// Each statement for one iteration after the other; loops inside are entered together.
    fn abreast(&mut self, all: &mut [Vars<'c>], body: &[Stmt]) -> Emitted<()> {
        for stmt in body {
            let Stmt::For { var, lo, hi, body, .. } = stmt else {
                all.iter_mut().try_for_each(|vars| self.with_vars(vars, |this| this.statement(stmt)))?;
                continue;
            };
            self.memo = vec![HashMap::new()];
            let range = Range { var: *var, lo: self.int_expr(*lo)?, hi: self.int_expr(*hi)? };
            self.counted(range, 1, |this, counter| {
                all.iter_mut().for_each(|vars| drop(vars.insert(*var, Slot::index(counter))));
                this.abreast(all, body)
            })?;
        }
        Ok(())
    }

    fn with_vars(&mut self, vars: &mut Vars<'c>, emit: impl FnOnce(&mut Self) -> Emitted<()>) -> Emitted<()> {
        swap(&mut self.vars, vars);
        let done = emit(self);
        swap(&mut self.vars, vars);
        done
    }
}

/// What each iteration of a loop over `var` declares, if the iterations are independent and what takes their time is
/// sums of floating-point numbers over the same ranges.
fn own_sums(function: &Function, var: VarId, body: &[Stmt]) -> Option<BTreeSet<VarId>> {
    let Uses { loaded, stored, changing, .. } = Uses::of(function, body);
    let mut own = Own { vars: BTreeSet::from([var]), stores: 0 };
    let fits = own.block(function, body)
        && body.iter().any(|stmt| matches!(stmt, Stmt::For { .. }))
        && changing.is_subset(&own.vars)
        && loaded.is_disjoint(&stored)
        // Stores of several statements to one array would change their order.
        && own.stores == stored.len();
    fits.then_some(own.vars)
}

/// What an iteration declares, and how many statements of it store.
struct Own {
    vars: BTreeSet<VarId>,
    stores: usize,
}

impl Own {
    /// Takes note of a block of the iteration; no, if it has statements that do not go abreast.
    fn block(&mut self, function: &Function, body: &[Stmt]) -> bool {
        body.iter().all(|stmt| match stmt {
            Stmt::Let { var, .. } | Stmt::Mut { var, .. } => {
                self.vars.insert(*var);
                true
            }
            Stmt::Store { .. } => {
                self.stores += 1;
                true
            }
            Stmt::For { var, lo, hi, body, .. } => {
                let same = [lo, hi].into_iter().all(|bound| self.is_same(function, *bound));
                self.vars.insert(*var);
                same && sums(function, body) && self.block(function, body)
            }
            Stmt::Assign { .. } | Stmt::Comment(_) => true,
            Stmt::While { .. } | Stmt::If { .. } | Stmt::Sort { .. } => false,
        })
    }

    /// Whether an expression has the same value in every iteration.
    fn is_same(&self, function: &Function, expr: ExprId) -> bool {
        let Uses { read, loaded, .. } = Uses::of_expr(function, expr);
        read.is_disjoint(&self.vars) && loaded.is_empty()
    }
}

/// Whether a loop with this body adds to floating-point variables, or has such loops inside, and stores nothing.
fn sums(function: &Function, body: &[Stmt]) -> bool {
    let is_sum = |stmt: &Stmt| match stmt {
        Stmt::Assign { var, .. } => matches!(function.var(*var).ty, Type::Element(element) if element.is_float()),
        Stmt::For { .. } => true,
        _ => false,
    };
    body.iter().any(is_sum) && !body.iter().any(|stmt| matches!(stmt, Stmt::Store { .. }))
}
