//! Reductions by name, such as `max(j, A(i, j))`: loops in front of the statement that uses their value.
//!
//! The loops visit stored entries. A reduction over all values counts its terms, and includes a zero if some were
//! absent. One over stored terms gives its identity, or the given replacement, if there was no term.

use super::{Lowerer, merge::Body};
use crate::iterate::{fold::converted, guard, is_filtered, is_full, zero};
use nnz_base::{element::Element, ids::IndexVar};
use nnz_kernel::{Expr, Fold, Nothing, Over, ReduceOp, Slot, Sum};
use nnz_loops::{Binary, ExprId, Stmt, Type, VarId};

impl<'k> Lowerer<'k> {
    /// Lowers a reduction; it starts from `from`, if given, instead of its identity.
    pub(super) fn reduction(
        &mut self,
        (op, over): (&ReduceOp, Over),
        vars: &[IndexVar],
        body: &Expr,
        from: Option<&Expr>,
    ) -> ExprId {
        // A reduction with a value for no terms is always present, so it does not set the flag.
        let outer = self.found.take_if(|_| matches!(over, Over::StoredOr(_) | Over::AllOrZero));
        let value = match vars {
            [var] if op.is_place() => self.place_reduction(op, over, *var, body),
            _ => self.value_reduction((op, over), vars, body, from),
        };
        self.found = self.found.or(outer);
        value
    }

    fn value_reduction(
        &mut self,
        (op, over): (&ReduceOp, Over),
        vars: &[IndexVar],
        body: &Expr,
        from: Option<&Expr>,
    ) -> ExprId {
        let element = self.kernel.element_of(body);
        let start = self.start(op, element, from);
        let value = self.accumulator_of(op.name(), Type::Element(element), start);
        // If a reduction over stored terms continues from a value, it need not know whether there were terms.
        let counts = from.is_none() || !over.is_stored();
        let terms = if counts { self.counter_of_terms(op, over, vars, body) } else { None };
        if over.is_stored() && (self.kernel.is_empty_over(vars) || self.is_never_there(body)) {
            let Over::StoredOr(nothing) = over else { return start };
            let nothing = converted(element, nothing.value(op, element));
            return if from.is_none() { self.b.value(element, nothing) } else { start };
        }
        let every = self.every_term(op, over, body);
        self.reduction_loops(vars, &every, &mut |this, body| {
            this.where_present(over, body, &mut |this| {
                match (op, from) {
                    (ReduceOp::Sum, Some(_)) => this.take_in(value, body),
                    _ => {
                        let term = this.value(body);
                        let next = this.combined(op, value, term);
                        this.b.push(Stmt::Assign { var: value, value: next });
                    }
                }
                this.count_term(terms);
            });
        });
        if let Some(from) = from {
            self.mark_found(from);
        } else if !over.is_stored() && !self.leaves_zeros_out(op) {
            self.found_nothing(vars);
        }
        match terms {
            None => self.b.var(value),
            Some(terms) => self.with_absent(op, over, vars, (value, terms), body),
        }
    }

    /// What the first term is combined with: `from` where it is there, else the identity.
    fn start(&mut self, op: &ReduceOp, element: Element, from: Option<&Expr>) -> ExprId {
        let identity = converted(element, op.identity(element));
        let Some(from) = from else { return self.b.value(element, identity) };
        let value = self.value(from);
        let Some(guard) = guard::of(self.kernel, from) else { return value };
        let (there, identity) = (self.condition(&guard), self.b.value(element, identity));
        self.b.select(there, value, identity)
    }

    /// Adds the summands of a sum one after another.
    fn take_in(&mut self, sum: VarId, body: &Expr) {
        let (negated, last) = match body.as_sum() {
            Sum::Two { a, b, subtracted } => {
                self.take_in(sum, a);
                (subtracted, b)
            }
            Sum::Negated(a) => (true, a),
            Sum::Term(term) => (false, term),
        };
        let (guard, term) = (self.guard_of_summand(last), self.value(last));
        let term = self.or_neutral(term, (self.kernel.element_of(last), guard, negated));
        let so_far = self.b.var(sum);
        let value = self.added(Some(so_far), negated, term);
        self.b.push(Stmt::Assign { var: sum, value });
    }

    fn leaves_zeros_out(&self, op: &ReduceOp) -> bool {
        zero::leaves_zeros_out(self.kernel, op)
    }

    /// What the loops of a reduction visit.
    fn every_term(&self, op: &ReduceOp, over: Over, body: &Expr) -> Expr {
        match over {
            Over::All | Over::AllOrZero if zero::visits_zeros(self.kernel, op) => {
                every_place(body, self.kernel.element_of(body))
            }
            Over::All | Over::AllOrZero | Over::Stored | Over::StoredOr(_) => body.clone(),
        }
    }

    /// What the terms come to with one more.
    fn combined(&mut self, op: &ReduceOp, value: VarId, term: ExprId) -> ExprId {
        let so_far = self.b.var(value);
        match op {
            ReduceOp::Pick => term,
            ReduceOp::Custom(fold) => {
                let element = self.kernel.element_of(&fold.combine);
                let term = self.b.define("term", Type::Element(element), term);
                self.folded(fold, [value, term])
            }
            op @ (ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max) => {
                self.b.binary(combine(op), so_far, term)
            }
            op @ (ReduceOp::And | ReduceOp::Or | ReduceOp::Xor | ReduceOp::ArgMin | ReduceOp::ArgMax) => {
                self.b.binary(combine(op), so_far, term)
            }
        }
    }

    /// The user's operation on the value of the terms so far and one more.
    pub(super) fn folded(&mut self, fold: &Fold, parts: [VarId; 2]) -> ExprId {
        let outer = self.slots.replace(parts);
        let combined = self.value(&fold.combine);
        self.slots = outer;
        combined
    }

    /// `left` or `right` in a user's operation; validation allows them nowhere else.
    pub(super) fn combined_part(&mut self, slot: Slot, element: Element) -> ExprId {
        match (self.slots, slot) {
            (Some([left, _]), Slot::Left) => self.b.var(left),
            (Some([_, right]), Slot::Right) => self.b.var(right),
            (None, _) => self.b.value(element, element.zero()),
        }
    }

    /// Loops over what `body` stores along `vars`, in the order of the plan.
    pub(super) fn reduction_loops(&mut self, vars: &[IndexVar], body: &Expr, inside: Body<'_, 'k>) {
        let (mut vars, order) = (vars.to_vec(), self.order);
        vars.sort_by_key(|var| order.iter().position(|other| other == var));
        self.hoist_entries(body);
        let found = self.found;
        self.nest_loops(&vars, body, &mut |this, body| {
            // A reduction inside this one sets this one's flag only where the term depends on what it meets.
            if this.found.is_some() && this.mark_certain(body) {
                this.found = None;
            }
            inside(this, body);
            this.found = found;
        });
    }

    /// If the variables have no values at all, the reduction is its identity, which is present.
    fn found_nothing(&mut self, vars: &[IndexVar]) {
        let Some(var) = self.found else { return };
        let (all, none, yes) = (self.number_of_values(vars), self.b.index(0), self.b.bool(true));
        let empty = self.b.binary(Binary::Eq, all, none);
        self.b.when(empty, |b| b.push(Stmt::Assign { var, value: yes }));
    }

    /// How many values the variables take together. Where 64 bits do not hold it, a number larger than any count of terms.
    fn number_of_values(&mut self, vars: &[IndexVar]) -> ExprId {
        let mut sizes: Vec<ExprId> = vars.iter().map(|var| self.extent(*var)).collect();
        let Some(first) = sizes.pop() else { return self.b.index(1) };
        sizes.into_iter().rev().fold(first, |product, size| {
            let largest = self.b.index(i64::MAX);
            // A variable of size 0 gives 0 here, as division by zero gives 0.
            let most = self.b.binary(Binary::Div, largest, size);
            let product = self.b.binary(Binary::Min, product, most);
            self.b.mul(product, size)
        })
    }

    /// A counter of terms, if their number matters.
    fn counter_of_terms(&mut self, op: &ReduceOp, over: Over, vars: &[IndexVar], body: &Expr) -> Option<VarId> {
        let matters = match over {
            Over::All | Over::AllOrZero => {
                !zero::visits_zeros(self.kernel, op) && !self.leaves_zeros_out(op) && self.skips(vars, body)
            }
            // Without terms the value is the identity, from which the reduction starts anyway.
            Over::Stored | Over::StoredOr(Nothing::Identity) => false,
            Over::StoredOr(_) => self.skips(vars, body) || self.is_filtered(body),
        };
        matters.then(|| {
            let none = self.b.index(0);
            self.accumulator_of("terms", Type::Index, none)
        })
    }

    fn count_term(&mut self, terms: Option<VarId>) {
        if let Some(var) = terms {
            let (seen, one) = (self.b.var(var), self.b.index(1));
            let value = self.b.add(seen, one);
            self.b.push(Stmt::Assign { var, value });
        }
    }

    /// The value of the reduction, with the terms that the loops did not meet taken into account.
    fn with_absent(
        &mut self,
        op: &ReduceOp,
        over: Over,
        vars: &[IndexVar],
        (value, terms): (VarId, VarId),
        body: &Expr,
    ) -> ExprId {
        let (so_far, seen, zero) = (self.b.var(value), self.b.var(terms), self.zero_of(body));
        match over {
            Over::Stored => so_far,
            Over::StoredOr(nothing) => {
                let element = self.kernel.element_of(body);
                let nothing = self.b.value(element, converted(element, nothing.value(op, element)));
                let none = self.b.index(0);
                let any = self.b.binary(Binary::Lt, none, seen);
                self.b.select(any, so_far, nothing)
            }
            Over::All | Over::AllOrZero => {
                let all = self.number_of_values(vars);
                let some_absent = self.b.binary(Binary::Lt, seen, all);
                let with_zero = self.b.binary(combine(op), so_far, zero);
                self.b.when(some_absent, |b| b.push(Stmt::Assign { var: value, value: with_zero }));
                so_far
            }
        }
    }

    /// Whether loops over `vars` leave out coordinates where `body` is absent.
    pub(super) fn skips(&self, vars: &[IndexVar], body: &Expr) -> bool {
        !is_full(self.kernel, body, (vars, self.order), &self.plan.operands)
    }

    /// Whether filters leave out a value of `body` somewhere.
    pub(super) fn is_filtered(&self, body: &Expr) -> bool {
        is_filtered(self.kernel, body, &self.plan.operands)
    }

    /// The value of `var` where `body` is least or greatest, the first of several; NaN is both.
    fn place_reduction(&mut self, op: &ReduceOp, over: Over, var: IndexVar, body: &Expr) -> ExprId {
        let element = self.kernel.element_of(body);
        let (start, none) = (self.zero_of(body), self.extent(var));
        let best = self.accumulator_of("best", Type::Element(element), start);
        let place = self.accumulator_of(op.name(), Type::Index, none);
        let every = self.every_term(op, over, body);
        let found = self.found.take();
        self.reduction_loops(&[var], &every, &mut |this, body| {
            this.found = found;
            let term = this.left_of(body).and_then(without_filler);
            if term.is_none_or(|term| this.mark_certain(&term)) {
                this.found = None;
            }
            this.where_present(over, body, &mut |this| this.take_place(op, var, (best, place), body));
            this.found = None;
        });
        self.found = found;
        let place = self.b.var(place);
        self.b.cast(Type::Element(Element::Index), place)
    }

    fn take_place(&mut self, op: &ReduceOp, var: IndexVar, (best, place): (VarId, VarId), body: &Expr) {
        let element = self.kernel.element_of(body);
        let found = self.value(body);
        let found = self.b.define("found", Type::Element(element), found);
        let (value, so_far) = (self.b.var(found), self.b.var(best));
        let better = self.is_better(op, element, value, so_far);
        let (at, none) = (self.b.var(place), self.extent(var));
        let first = self.b.binary(Binary::Eq, at, none);
        let taken = self.b.binary(Binary::Or, first, better);
        let here = self.coordinate(var);
        self.b.when(taken, |b| {
            b.push(Stmt::Assign { var: best, value });
            b.push(Stmt::Assign { var: place, value: here });
        });
    }

    fn is_better(&mut self, op: &ReduceOp, element: Element, value: ExprId, so_far: ExprId) -> ExprId {
        let [less, more] = if *op == ReduceOp::ArgMin { [value, so_far] } else { [so_far, value] };
        let better = self.b.binary(Binary::Lt, less, more);
        if !element.is_float() {
            return better;
        }
        let is_nan = self.b.binary(Binary::Ne, value, value);
        let was_none = self.b.binary(Binary::Eq, so_far, so_far);
        let first_nan = self.b.binary(Binary::And, is_nan, was_none);
        self.b.binary(Binary::Or, better, first_nan)
    }

    /// What `emit` emits, under the condition that the term is not filtered out of a reduction over
    /// stored terms.
    fn where_present(&mut self, over: Over, body: &Expr, emit: &mut dyn FnMut(&mut Self)) {
        if !over.is_stored() {
            return emit(self);
        }
        let Some(left) = self.left_of(body) else { return };
        match guard::of(self.kernel, &left) {
            None => emit(self),
            Some(guard) => self.under(&guard, emit),
        }
    }

    /// Runs `emit` under the condition `guard`.
    pub(super) fn under(&mut self, guard: &Expr, emit: &mut dyn FnMut(&mut Self)) {
        if self.holds(guard) {
            return emit(self);
        }
        let cond = self.asked(guard);
        self.b.open();
        emit(self);
        let then = self.b.close();
        self.b.push(Stmt::If { cond, then, other: Vec::new() });
    }

    /// Marks that a reduction met an entry, unless that depends on what the reductions in its term meet; whether it does not.
    fn mark_certain(&mut self, body: &Expr) -> bool {
        let left = self.left_of(&self.without_doubtful(body));
        left.iter().for_each(|left| self.mark_found(left));
        left.is_some_and(|left| guard::of(self.kernel, &left).is_none())
    }

    /// Marks that a reduction met an entry, if that matters.
    pub(super) fn mark_found(&mut self, body: &Expr) {
        let Some(var) = self.found else { return };
        let value = self.b.bool(true);
        match guard::of(self.kernel, body) {
            None => self.b.push(Stmt::Assign { var, value }),
            Some(guard) => self.under(&guard, &mut |this| this.b.push(Stmt::Assign { var, value })),
        }
    }
}

/// `body`, with a filler where it is absent, so that loops visit every coordinate.
fn every_place(body: &Expr, element: Element) -> Expr {
    // A reduction by itself would be a number, and present, in an operand of `Present`.
    let of = Box::new(Expr::Cast(element, Box::new(body.clone())));
    Expr::Present { then: Some(Box::new(body.clone())), of, other: Some(Box::new(filler(element))) }
}

/// Stands for an absent term, and differs from every zero in the text. A slot serves: outside of a fold it is zero, and
/// no term contains one.
fn filler(element: Element) -> Expr {
    Expr::Slot(Slot::Left, element)
}

/// An expression made by [`every_place`] without its filler; `None` if only the filler is left, which does not count as
/// an entry.
fn without_filler(term: Expr) -> Option<Expr> {
    if let Expr::Present { then: Some(then), other: Some(other), .. } = &term
        && zero::is_filler(other)
    {
        return Some((**then).clone());
    }
    if let Expr::Select { cond, then, other: Some(other) } = &term
        && zero::is_filler(other)
    {
        return Some(Expr::Select { cond: cond.clone(), then: then.clone(), other: None });
    }
    (!zero::is_filler(&term)).then_some(term)
}

/// The operation with which a reduction combines a term; not for [`ReduceOp::Pick`], `argmin`, `argmax` and users'
/// operations.
pub(super) fn combine(op: &ReduceOp) -> Binary {
    match op {
        ReduceOp::Sum | ReduceOp::Pick | ReduceOp::Custom(_) => Binary::Add,
        ReduceOp::Prod => Binary::Mul,
        ReduceOp::Min | ReduceOp::ArgMin => Binary::Min,
        ReduceOp::Max | ReduceOp::ArgMax => Binary::Max,
        ReduceOp::And => Binary::BitAnd,
        ReduceOp::Or => Binary::BitOr,
        ReduceOp::Xor => Binary::BitXor,
    }
}
