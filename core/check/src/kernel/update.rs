//! How an update combines with the old value: `y(i) min= e`.
//!
//! An update does nothing where the right side is absent, as with a GraphBLAS accumulator. For `+=` and `-=` this
//! follows, because an absent entry is zero. The other updates, and semiring products whose identity is another
//! number, test for it. An absent old value is replaced by the right side for `min=` and `max=`; for `*=` and `/=` it
//! is a zero, and stays absent.

mod factors;
mod open;
mod there;

use nnz_base::{
    element::{Element, Scalar},
    ids::{IndexVar, TensorId},
};
use nnz_kernel::{Access, BinaryOp, Expr, Literal, Nothing, Over, ReduceOp, UnaryOp};
pub(super) use open::is_open;

/// A condition on index variables, by itself or as a number, is absent where it does not hold, wherever its value is used.
pub(super) fn held(expr: &Expr) -> Expr {
    if let Some((element, cond)) = index_condition(expr) {
        let (cond, then) = (Box::new(cond.clone()), Box::new(Expr::literal(element, Scalar::Int(1))));
        return Expr::Select { cond, then, other: None };
    }
    // By itself it chooses, and is no value.
    if let Expr::Select { cond, then, other } = expr
        && cond.is_index_condition()
    {
        let arm = |arm: &Expr| Box::new(held(arm));
        return Expr::Select { cond: cond.clone(), then: arm(then), other: other.as_deref().map(arm) };
    }
    expr.with_parts(&held)
}

/// A condition on index variables, or one as a number of this type.
fn index_condition(expr: &Expr) -> Option<(Element, &Expr)> {
    let (element, cond) = if let Expr::Cast(element, cond) = expr { (*element, &**cond) } else { (Element::I1, expr) };
    cond.is_index_condition().then_some((element, cond))
}

/// Without the zeros that conditions on index variables, numbers and scalars choose: they are absent. A zero that the right
/// side of an update as a whole chooses, `is_whole`, is a number, but for `+=` and `-=`, which it does not change.
pub(super) fn without_zeros(expr: &Expr, is_whole: bool) -> Expr {
    let arm = |arm: &Expr| Box::new(without_zeros(arm, is_whole));
    if let Expr::Present { of, then, other } = expr {
        let [then, other] = [then, other].map(|given| given.as_deref().map(arm));
        return Expr::Present { of: Box::new(without_zeros(of, false)), then, other };
    }
    let Expr::Select { cond, then, other } = expr else {
        return expr.with_parts(&|part| without_zeros(part, false));
    };
    let cond = Box::new(without_zeros(cond, false));
    let (then, other) = (arm(then), other.as_deref().map(arm));
    match other {
        // Where zeros are all there is to choose, they are numbers.
        Some(zero) if leaves_out(&cond, &zero) && leaves_out(&cond, &then) => *then,
        Some(zero) if !is_whole && leaves_out(&cond, &zero) => Expr::Select { cond, then, other: None },
        Some(other) if !is_whole && leaves_out(&cond, &then) => {
            Expr::Select { cond: Box::new(Expr::Unary(UnaryOp::Not, cond)), then: other, other: None }
        }
        other => Expr::Select { cond, then, other },
    }
}

/// Whether `arm` is a zero that such a condition chooses. Conditions are made of what is false, too.
fn leaves_out(cond: &Expr, arm: &Expr) -> bool {
    let zero = |number: &Literal| number.value.is_zero() && number.element != Element::I1;
    cond.is_condition_without_entries() && matches!(arm, Expr::Literal(number) if zero(number))
}

/// `expr` reduced over the variables that the left side lacks, for `min=` and `max=`. Absent terms do
/// nothing.
pub(super) fn reduced(op: ReduceOp, vars: Vec<IndexVar>, expr: Expr) -> Expr {
    Expr::Reduce { op, over: Over::Stored, vars, body: Box::new(expr) }
}

/// `expr` summed over the variables that the left side lacks, for `+=` and `-=`, where it chooses a reduction that counts as
/// more than zero without terms: the choice is one of terms, and the old value is added once.
pub(super) fn summed(vars: Vec<IndexVar>, expr: Expr, element: &dyn Fn(&Expr) -> Element) -> Expr {
    let of_text = Updater { op: BinaryOp::Add, old: &expr, sparse: &|_| true, element };
    if vars.is_empty() || !of_text.counts_as_more(&expr) {
        return expr;
    }
    Expr::Reduce { op: ReduceOp::Sum, over: Over::All, vars, body: Box::new(expr) }
}

/// What is known of the operands of an update.
#[derive(Clone, Copy)]
pub(super) struct Known<'u> {
    /// Which tensors may have absent entries.
    pub sparse: &'u dyn Fn(TensorId) -> bool,
    pub element: &'u dyn Fn(&Expr) -> Element,
}

/// `old op expr`
pub(super) fn updated(op: BinaryOp, old: Access, expr: Expr, known: Known<'_>) -> Expr {
    let Known { sparse, element } = known;
    let may_lack = sparse(old.tensor);
    let additive = matches!(op, BinaryOp::Add | BinaryOp::Sub);
    let expr = if additive { expr } else { factors::taken_in(&expr, factors::Sums { sparse, over_all: false }) };
    let old = Expr::Access(old);
    let updater = Updater { op, old: &old, sparse, element };
    let updated = updater.onto(&expr);
    let present = |other: Option<Expr>| {
        let (of, then) = (Box::new(old.clone()), Some(Box::new(updated.clone())));
        Expr::Present { of, then, other: other.map(Box::new) }
    };
    if !may_lack {
        return updated;
    }
    match op {
        // A zero that the whole chooses by index variables is not stored where there was no entry.
        BinaryOp::Min | BinaryOp::Max => present(Some(without_zeros(&expr, false))),
        BinaryOp::Add if updater.minds_absence(&expr) => present(Some(expr)),
        BinaryOp::Sub if updater.minds_absence(&expr) => present(Some(Expr::Unary(UnaryOp::Neg, Box::new(expr)))),
        BinaryOp::Mul | BinaryOp::Div if updater.may_be_absent(&expr) => present(None),
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod => updated,
        BinaryOp::Pow | BinaryOp::Function(_) | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => updated,
        BinaryOp::Shl | BinaryOp::Shr => updated,
    }
}

struct Updater<'u> {
    op: BinaryOp,
    old: &'u Expr,
    sparse: &'u dyn Fn(TensorId) -> bool,
    element: &'u dyn Fn(&Expr) -> Element,
}

impl Updater<'_> {
    /// The old value where `expr` is absent, and else with it.
    fn onto(&self, expr: &Expr) -> Expr {
        let old = || Box::new(self.old.clone());
        let arm = |arm: &Option<Box<Expr>>| Some(arm.as_ref().map_or_else(old, |arm| Box::new(self.onto(arm))));
        if !self.minds_absence(expr) {
            return self.with(expr.clone());
        }
        match expr {
            Expr::Select { cond, then, other } => {
                Expr::Select { cond: cond.clone(), then: Box::new(self.onto(then)), other: arm(other) }
            }
            Expr::Present { of, then, other } => Expr::Present { of: of.clone(), then: arm(then), other: arm(other) },
            Expr::Reduce { op, over: Over::Stored, vars, body } if !op.is_place() => {
                let over = Over::StoredOr(self.nothing());
                self.with(Expr::Reduce { op: op.clone(), over, vars: vars.clone(), body: body.clone() })
            }
            Expr::Access(_)
            | Expr::Literal(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Cast(..)
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => {
                let scales = self.op == BinaryOp::Mul;
                let scaled = || factors::scaled_by(self.old, expr, self.sparse);
                let with = Box::new(if scales { scaled() } else { self.with(expr.clone()) });
                match self.there(expr) {
                    Some(cond) => Expr::Select { cond: Box::new(cond), then: with, other: Some(old()) },
                    None => Expr::Present { of: Box::new(self.asked(expr)), then: Some(with), other: Some(old()) },
                }
            }
        }
    }

    fn with(&self, expr: Expr) -> Expr {
        Expr::Binary(self.op, Box::new(self.old.clone()), Box::new(expr))
    }

    /// What changes no old value.
    fn nothing(&self) -> Nothing {
        match self.op {
            BinaryOp::Mul | BinaryOp::Div => Nothing::One,
            BinaryOp::Min => Nothing::Greatest,
            BinaryOp::Max => Nothing::Least,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Rem | BinaryOp::Mod | BinaryOp::Pow => Nothing::Zero,
            BinaryOp::Function(_) | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Nothing::Zero,
            BinaryOp::Shl | BinaryOp::Shr => Nothing::Zero,
        }
    }

    /// Whether an absent right side would change the old value, taken for what it counts as.
    fn minds_absence(&self, expr: &Expr) -> bool {
        if matches!(self.op, BinaryOp::Add | BinaryOp::Sub) {
            self.counts_as_more(expr)
        } else {
            self.may_be_absent(expr)
        }
    }

    /// Whether it counts as another number than zero where it is absent, by a reduction that has no terms.
    fn counts_as_more(&self, expr: &Expr) -> bool {
        let in_arms = |arms: [Option<&Box<Expr>>; 2]| arms.into_iter().flatten().any(|arm| self.counts_as_more(arm));
        match expr {
            Expr::Reduce { op, over: Over::Stored, body, .. } => !op.gives_zero_of((self.element)(body)),
            Expr::Cast(_, a) | Expr::Unary(UnaryOp::Neg, a) => self.counts_as_more(a),
            Expr::Select { then, other, .. } => in_arms([Some(then), other.as_ref()]),
            Expr::Present { then, other, .. } => in_arms([then.as_ref(), other.as_ref()]),
            Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => false,
            Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Reduce { .. } | Expr::Onto { .. } => false,
        }
    }

    fn may_be_absent(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Access(access) => (self.sparse)(access.tensor),
            Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => false,
            Expr::Select { other: None, .. } | Expr::Present { .. } | Expr::Reduce { over: Over::Stored, .. } => true,
            // A reduction over all terms is a value where it has none, too, whatever the format.
            Expr::Reduce { over: Over::StoredOr(_) | Over::All | Over::AllOrZero, .. } => false,
            // The least of unsigned integers is absent where one of them is.
            Expr::Binary(BinaryOp::Min, a, b) if (self.element)(a).is_unsigned() => {
                self.may_be_absent(a) || self.may_be_absent(b)
            }
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max, a, b)
                if self.is_everywhere(a) || self.is_everywhere(b) =>
            {
                false
            }
            Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Cast(..)
            | Expr::Select { .. }
            | Expr::Onto { .. } => expr.operands().into_iter().any(|part| self.may_be_absent(part)),
        }
    }

    /// Whether `expr` is a value everywhere, which what is absent beside it does not change: more than a number.
    fn is_everywhere(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Access(access) => !access.indices.is_empty() && !(self.sparse)(access.tensor),
            Expr::Reduce { over: Over::All | Over::AllOrZero, .. } => true,
            Expr::Cast(_, a) | Expr::Unary(UnaryOp::Neg, a) => self.is_everywhere(a),
            Expr::Binary(BinaryOp::Min, a, b) if (self.element)(a).is_unsigned() => {
                self.is_everywhere(a) && self.is_everywhere(b)
            }
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max, a, b) => {
                self.is_everywhere(a) || self.is_everywhere(b)
            }
            Expr::Binary(BinaryOp::Mul, a, b) => self.is_everywhere(a) && self.is_everywhere(b),
            Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Reduce { .. } | Expr::Onto { .. } => false,
            Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Select { .. } | Expr::Present { .. } => {
                false
            }
        }
    }
}
