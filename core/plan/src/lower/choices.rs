//! Choices and filters, and whether what they give is an entry.

use super::{Lowerer, values::reduces};
use crate::iterate::{fold, guard, zero};
use nnz_kernel::{BinaryOp, Expr};
use nnz_loops::{Binary, ExprId, Stmt, Unary, VarId};

impl Lowerer<'_> {
    pub(super) fn select(&mut self, cond: &Expr, then: &Expr, other: Option<&Expr>) -> ExprId {
        if self.holds(cond) {
            return self.value(then);
        }
        if other.is_none() && self.found.is_some() && reduces(cond) {
            return self.filtered(cond, then);
        }
        let mut arms = [Some(then), other].into_iter().flatten();
        let zero = arms.any(zero::is_zero);
        if let Some(other) = other
            && zero
            && self.found.is_some()
            && reduces(cond)
        {
            return self.value_or_zero(cond, then, other);
        }
        let cond = self.asked(cond);
        let (value, in_then) = self.arm(then);
        let (other, in_other) = match other {
            Some(other) => self.arm(other),
            None => (self.zero_of(then), None),
        };
        self.mark_choice(cond, [in_then, in_other], zero);
        self.b.select(cond, value, other)
    }

    /// A choice between a zero and another arm, by a condition with reductions: it is there where that arm is, and where the
    /// zero is chosen only if the condition is there, too.
    fn value_or_zero(&mut self, cond: &Expr, then: &Expr, other: &Expr) -> ExprId {
        let outer = self.found;
        let flag = self.flag();
        self.found = Some(flag);
        let chosen = self.condition(cond);
        self.found = outer;
        let ([value, other], met, arm, in_arm) = if zero::is_zero(then) {
            let (value, met) = self.arm(other);
            ([self.value(then), value], met, other, self.b.unary(Unary::Not, chosen))
        } else {
            let (value, met) = self.arm(then);
            ([value, self.value(other)], met, then, chosen)
        };
        let asked = match self.presence(cond, Some(flag)) {
            Some(None) => None,
            Some(Some(there)) => Some(self.b.binary(Binary::Or, in_arm, there)),
            None => Some(in_arm),
        };
        if let Some(there) = self.presence(arm, met) {
            self.mark_where_all(asked.into_iter().chain(there).collect());
        }
        self.b.select(chosen, value, other)
    }

    /// What must hold for `expr` to be there, whose reductions set the flag `met`; `None` if it never is. It may be there
    /// without them, as `select(c, 1, max(k, A(i, k)))` is where `c` holds.
    fn presence(&mut self, expr: &Expr, met: Option<VarId>) -> Option<Option<ExprId>> {
        let sure = self.left_of(&self.without_doubtful(expr)).map(|left| guard::of(self.kernel, &left));
        let sure = match sure {
            Some(None) => return Some(None),
            Some(Some(guard)) => Some(self.asked(&guard)),
            None => None,
        };
        let by_reductions = met.map(|flag| self.met_where_possible(expr, flag));
        let ways = sure.into_iter().chain(by_reductions);
        ways.reduce(|a, b| self.b.binary(Binary::Or, a, b)).map(Some)
    }

    /// Whether the reductions of `expr` met an entry, and it is there with them.
    fn met_where_possible(&mut self, expr: &Expr, flag: VarId) -> ExprId {
        let possible = self.left_of(expr).and_then(|left| guard::of(self.kernel, &left));
        let met = self.b.var(flag);
        match possible {
            Some(guard) if !reduces(&guard) => {
                let possible = self.asked(&guard);
                self.b.binary(Binary::And, met, possible)
            }
            _ => met,
        }
    }

    fn mark_where_all(&mut self, conditions: Vec<ExprId>) {
        let met = conditions.into_iter().reduce(|a, b| self.b.binary(Binary::And, a, b));
        let met = met.unwrap_or_else(|| self.b.bool(true));
        self.mark_where(met);
    }

    /// Marks that the reductions of the chosen arm met an entry. A `zero` that values choose is there where the other arm is.
    fn mark_choice(&mut self, cond: ExprId, met: [Option<VarId>; 2], zero: bool) {
        let met = match met {
            [None, None] => return,
            [Some(flag), None] | [None, Some(flag)] if zero => self.b.var(flag),
            met => {
                let [then, other] = met.map(|flag| match flag {
                    Some(flag) => self.b.var(flag),
                    None => self.b.bool(false),
                });
                self.b.select(cond, then, other)
            }
        };
        self.mark_where(met);
    }

    /// The value of a filter whose condition has reductions: what they meet says nothing, as the entry is there where the
    /// condition holds.
    fn filtered(&mut self, cond: &Expr, then: &Expr) -> ExprId {
        let cond = self.asked(cond);
        let (value, met) = self.arm(then);
        if let Some(there) = self.presence(then, met) {
            self.mark_where_all([cond].into_iter().chain(there).collect());
        }
        let zero = self.zero_of(then);
        self.b.select(cond, value, zero)
    }

    /// The value of an arm, and whether its reductions met an entry, if that matters: they say nothing where the other arm is
    /// chosen.
    fn arm(&mut self, arm: &Expr) -> (ExprId, Option<VarId>) {
        let Some(outer) = self.found.filter(|_| reduces(arm)) else { return (self.value(arm), None) };
        let flag = self.flag();
        self.found = Some(flag);
        let value = self.value(arm);
        self.found = Some(outer);
        (value, Some(flag))
    }

    /// Marks that a reduction met an entry, where `met` holds.
    pub(super) fn mark_where(&mut self, met: ExprId) {
        let Some(var) = self.found else { return };
        let value = self.b.bool(true);
        self.b.when(met, |b| b.push(Stmt::Assign { var, value }));
    }

    /// Whether a product needs [`Self::product_of_filters`]: one of its factors, neither a number, has a filter that asks a reduction.
    pub(super) fn asks_in_factors(&self, a: &Expr, b: &Expr) -> bool {
        let is_number = |part: &Expr| fold::constant(part, &|part| self.kernel.element_of(part)).is_some();
        self.found.is_some() && [a, b].into_iter().all(|part| !is_number(part)) && [a, b].into_iter().any(asks)
    }

    /// A product of filters that ask reductions: it is there where all its factors are. Reductions among the factors are
    /// values.
    pub(super) fn product_of_filters(&mut self, expr: &Expr, a: &Expr, b: &Expr) -> ExprId {
        let op = if let Expr::Binary(op, ..) = expr { *op } else { BinaryOp::Mul };
        let value = self.beside(&mut |this| {
            let value = this.operation(op, a, b);
            this.where_it_is(expr, value)
        });
        let left = self.left_of(expr);
        left.iter().for_each(|left| self.mark_found(left));
        value
    }
}

/// Whether a filter in `expr`, outside of its reductions, asks a reduction.
fn asks(expr: &Expr) -> bool {
    match expr {
        Expr::Select { cond, then, other: None } => reduces(cond) || asks(then),
        Expr::Reduce { .. } | Expr::Onto { .. } => false,
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => false,
        Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) | Expr::Select { .. } => {
            expr.operands().into_iter().any(asks)
        }
        Expr::Present { .. } => expr.operands().into_iter().any(asks),
    }
}
