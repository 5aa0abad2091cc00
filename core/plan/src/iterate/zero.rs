//! The value of an expression when some of its accesses are absent.
//!
//! Absence is structural: an explicitly stored zero is present. Arithmetic takes an absent operand as zero.
//! An operation is absent if its absent operands force it to zero whatever its other operands are; zero times
//! anything and zero over anything count as zero here.

use super::{
    fold::{self, folded},
    guard,
};
use nnz_base::{
    element::{Element, Scalar},
    ids::{IndexVar, TensorId},
};
use nnz_kernel::{Access, BinaryOp, CompareOp, Expr, Kernel, Literal, Nothing, Over, ReduceOp, Slot, UnaryOp};

/// Simplifies `expr`, a part of `kernel`'s expression, given that the accesses in `absent` are absent. `None` if the
/// expression is then absent, so that nothing is stored. The result has no absent access, and no [`Expr::Present`]
/// except [`Expr::there`]. An access in a reduction's body is absent if it is so for all values of the reduction's
/// variables.
pub fn simplify(kernel: &Kernel, expr: &Expr, absent: &dyn Fn(&Access) -> bool) -> Option<Expr> {
    simplify_open(kernel, expr, absent, &|_| false)
}

/// The same if later loops decide whether some accesses, the `open` ones, are absent: `None` only if the
/// expression is absent either way, and an [`Expr::Present`] that tests one of them is kept.
pub(crate) fn simplify_open(
    kernel: &Kernel,
    expr: &Expr,
    absent: &dyn Fn(&Access) -> bool,
    open: &dyn Fn(&Access) -> bool,
) -> Option<Expr> {
    Simplifier { kernel, absent, open }.expr(expr)
}

struct Simplifier<'s> {
    kernel: &'s Kernel,
    absent: &'s dyn Fn(&Access) -> bool,
    open: &'s dyn Fn(&Access) -> bool,
}

impl Simplifier<'_> {
    fn element(&self, expr: &Expr) -> Element {
        self.kernel.element_of(expr)
    }

    fn expr(&self, expr: &Expr) -> Option<Expr> {
        // An expression of numbers alone is a number, even if it is zero.
        if let Some(number) = fold::constant(expr, &|part| self.element(part)) {
            return Some(Expr::Literal(number));
        }
        let left = self.part(expr)?;
        match self.number(&left).map(Expr::Literal) {
            None => Some(left),
            // What is computed from a number that is present is present.
            Some(number) if left.operands().into_iter().any(|part| part.as_there().is_some()) => {
                Some(Expr::there(number))
            }
            Some(number) => (!is_zero(&number)).then_some(number),
        }
    }

    /// The value of an operation that has only numbers left, because its other operands are absent.
    fn number(&self, left: &Expr) -> Option<Literal> {
        let operands = left.operands();
        (!operands.is_empty() && operands.into_iter().all(|part| known(part).is_some())).then_some(())?;
        let numbers = left.with_parts(&|part| known(part).map_or_else(|| part.clone(), Expr::Literal));
        folded(&numbers, self.element(left))
    }

    /// `expr` simplified, before constants are folded.
    fn part(&self, expr: &Expr) -> Option<Expr> {
        match expr {
            Expr::Access(access) => (!(self.absent)(access)).then(|| expr.clone()),
            Expr::Literal(_) | Expr::Index(..) | Expr::Slot(Slot::Left, _) => Some(expr.clone()),
            // Asked by `leaves_zeros_out` alone.
            Expr::Slot(Slot::Right, _) => None,
            Expr::Unary(op, a) => self.unary(*op, a),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Compare(op, a, b) => self.compare(*op, a, b),
            Expr::Cast(to, a) => Some(Expr::Cast(*to, Box::new(self.expr(a)?))),
            Expr::Select { cond, then, other } => self.select(cond, then, other.as_deref()),
            _ if expr.as_there().is_some() => Some(expr.clone()),
            Expr::Present { of, then, other } => self.present(of, then.as_deref(), other.as_deref()),
            Expr::Reduce { op, over, vars, body } => self.reduce(op, *over, vars, body),
            Expr::Onto { from, reduce } => self.onto(from, reduce),
        }
    }

    fn present(&self, of: &Expr, then: Option<&Expr>, other: Option<&Expr>) -> Option<Expr> {
        let arm = |arm: &Expr| self.expr(arm).map(|arm| self.given(arm));
        match self.expr(of) {
            None if is_always_there(of) => arm(then?),
            None => arm(other?),
            Some(of) if asked(&of).into_iter().any(self.open) || self.may_need_filler(&of, other) => {
                let [then, other] = [then, other].map(|part| part.and_then(arm).map(Box::new));
                (then.is_some() || other.is_some()).then(|| Expr::Present { of: Box::new(of), then, other })
            }
            Some(of) => match guard::of(self.kernel, &of) {
                None => arm(then?),
                Some(cond) => {
                    let [then, other] = [then, other].map(|part| part.and_then(arm));
                    guard::chosen_by(cond, then, other)
                }
            },
        }
    }

    /// What a region gives, as [`yielded`]. One that later loops, or filters, may make a number stays a region.
    fn given(&self, arm: Expr) -> Expr {
        let absent = |access: &Access| (self.absent)(access) || (self.open)(access);
        let is_open = arm.accesses().into_iter().any(self.open);
        let left = is_open.then(|| simplify(self.kernel, &arm, &absent)).flatten();
        if !matches!(left, Some(Expr::Literal(_))) && !guard::passes(self.kernel, &arm) {
            return yielded(self.kernel, arm);
        }
        Expr::given(self.element(&arm), arm)
    }

    /// Whether later loops decide if a filler stands for `of`: it does where all of that is absent, reductions included.
    fn may_need_filler(&self, of: &Expr, other: Option<&Expr>) -> bool {
        other.is_some_and(is_filler) && of.accesses().into_iter().any(self.open)
    }

    /// The value of an operand; zero where it is absent.
    fn or_zero(&self, found: Option<Expr>, operand: &Expr) -> Box<Expr> {
        Box::new(found.unwrap_or_else(|| Expr::zero(self.element(operand))))
    }

    fn unary(&self, op: UnaryOp, a: &Expr) -> Option<Expr> {
        match self.expr(a) {
            Some(value) => Some(Expr::Unary(op, Box::new(value))),
            None if op.preserves_zero() => None,
            None => Some(at_zero(op, self.element(a))),
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
        let [a, b] = [left, right].map(|operand| self.expr(operand));
        let [no_a, no_b] = [&a, &b].map(|value| value.as_ref().is_none_or(is_zero));
        let unsigned = self.element(left).is_unsigned();
        match op {
            // A written zero is a value, not an absent operand: 0 / 0 is NaN.
            BinaryOp::Mul | BinaryOp::And if a.is_none() || b.is_none() => None,
            BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod if a.is_none() => None,
            BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod if b.is_none() => self.both(op, [a, b], [left, right]),
            BinaryOp::Shl | BinaryOp::Shr if a.is_none() || b.is_none() => a.filter(|a| !is_zero(a)),
            BinaryOp::Min if unsigned && (a.is_none() || b.is_none()) => None,
            BinaryOp::Pow if b.is_none() => Some(Expr::literal(self.element(left), Scalar::Int(1))),
            BinaryOp::Pow if a.is_none() && b.as_ref().is_some_and(is_positive) => None,
            BinaryOp::Pow => self.both(op, [a, b], [left, right]),
            _ if op.preserves_zero() && no_a && no_b && (a.is_none() || b.is_none()) => None,
            BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor if a.is_none() => b,
            BinaryOp::Max if unsigned && a.is_none() => b,
            BinaryOp::Sub if a.is_none() => b.map(|b| Expr::Unary(UnaryOp::Neg, Box::new(b))),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Or | BinaryOp::Xor if b.is_none() => a,
            BinaryOp::Max if unsigned && b.is_none() => a,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod => {
                self.both(op, [a, b], [left, right])
            }
            BinaryOp::Min | BinaryOp::Max | BinaryOp::Function(_) => self.both(op, [a, b], [left, right]),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => {
                self.both(op, [a, b], [left, right])
            }
        }
    }

    fn both(&self, op: BinaryOp, [a, b]: [Option<Expr>; 2], [left, right]: [&Expr; 2]) -> Option<Expr> {
        Some(Expr::Binary(op, self.or_zero(a, left), self.or_zero(b, right)))
    }

    fn compare(&self, op: CompareOp, left: &Expr, right: &Expr) -> Option<Expr> {
        let (a, b) = (self.expr(left), self.expr(right));
        let zero = |value: &Option<Expr>| value.as_ref().is_none_or(is_zero);
        // Nothing is less than an unsigned zero.
        let least = if self.element(left).is_unsigned() { [a.is_none(), b.is_none()] } else { [false; 2] };
        if least[0] && op == CompareOp::Gt || least[1] && op == CompareOp::Lt {
            return None;
        }
        match zero(&a) && zero(&b) {
            true => op.holds_of_equals().then(|| Expr::literal(Element::I1, Scalar::Int(1))),
            false => Some(Expr::Compare(op, self.or_zero(a, left), self.or_zero(b, right))),
        }
    }

    fn select(&self, cond: &Expr, then: &Expr, other: Option<&Expr>) -> Option<Expr> {
        let given = other.is_some();
        let left_of_other = || other.and_then(|other| self.expr(other));
        // A zero that is chosen because an operand is absent need not be stored, as of `select(A(i) > 0, A(i), 0)`.
        let chosen = |found: Option<Expr>| found.filter(|found| !is_zero(found));
        let cond = match self.expr(cond) {
            None => return chosen(left_of_other()),
            Some(Expr::Literal(Literal { value, .. })) => {
                return chosen(if value.is_zero() { left_of_other() } else { self.expr(then) });
            }
            Some(cond) => cond,
        };
        let decided = cond.as_there().map(|number| !is_zero(number));
        let cond = Box::new(cond);
        match (self.expr(then), left_of_other()) {
            (None, None) => None,
            (None, Some(arm)) | (Some(arm), None) if given && is_zero(&arm) => None,
            (left, left_of_other) if decided.is_some() => {
                let (arm, beside) = if decided == Some(true) { (left, other) } else { (left_of_other, Some(then)) };
                match (arm?, beside) {
                    (zero, Some(beside)) if given && is_zero(&zero) => self.zero_beside(&zero, beside),
                    (arm, _) => Some(self.given(arm)),
                }
            }
            (Some(then), other) => Some(Expr::Select { cond, then: Box::new(then), other: other.map(Box::new) }),
            (None, Some(other)) => {
                let cond = Box::new(Expr::Unary(UnaryOp::Not, cond));
                Some(Expr::Select { cond, then: Box::new(other), other: None })
            }
        }
    }

    /// A zero that values choose: it is there where the other arm is.
    fn zero_beside(&self, zero: &Expr, arm: &Expr) -> Option<Expr> {
        // A reduction by itself would be a number, and present, in an operand of `Present`.
        let of = Expr::Cast(self.element(arm), Box::new(arm.clone()));
        self.present(&of, Some(zero), None)
    }

    /// Without terms it is the value from which the reduction starts. Terms that are all absent are zeros, and one zero
    /// stands for them all.
    fn onto(&self, from: &Expr, reduce: &Expr) -> Option<Expr> {
        let (Some(start), found) = (self.expr(from), self.expr(reduce)) else { return self.expr(reduce) };
        if let Some(found) = found {
            return Some(Expr::Onto { from: Box::new(start), reduce: Box::new(found) });
        }
        let Expr::Reduce { op, over: Over::All, .. } = reduce else { return Some(start) };
        let with_zero = op.of_two().filter(|_| !leaves_zeros_out(self.kernel, op));
        let Some(with_zero) = with_zero else { return Some(start) };
        Some(Expr::Binary(with_zero, Box::new(start), Box::new(Expr::zero(self.element(reduce)))))
    }

    /// If the body is absent throughout, every term is zero, and so is the result, unless a user's operation combines
    /// them. Without any term it is the identity.
    fn reduce(&self, op: &ReduceOp, over: Over, vars: &[IndexVar], body: &Expr) -> Option<Expr> {
        let of = |body| Expr::Reduce { op: op.clone(), over, vars: vars.to_vec(), body: Box::new(body) };
        let nothing = |nothing| over_nothing(self.kernel, op, nothing, (vars, body));
        let is_empty = self.kernel.is_empty_over(vars);
        let is_custom = matches!(op, ReduceOp::Custom(_)) && !leaves_zeros_out(self.kernel, op);
        match (self.expr(body), over) {
            (_, Over::Stored) if is_empty => None,
            (_, Over::All) if is_empty && is_zero(&nothing(Nothing::Identity)) => None,
            (found, Over::StoredOr(number)) if is_empty || found.is_none() => Some(Expr::there(nothing(number))),
            (Some(body), _) => Some(of(body)),
            (None, Over::Stored | Over::StoredOr(_)) => None,
            (None, Over::All | Over::AllOrZero) if is_custom || is_empty => Some(of(Expr::zero(self.element(body)))),
            (None, Over::All) => None,
            (None, Over::AllOrZero) => Some(Expr::there(Expr::zero(self.element(&of(body.clone()))))),
        }
    }
}

/// The value of a reduction without terms: for `argmin` and `argmax` the extent of the variable.
pub(crate) fn over_nothing(
    kernel: &Kernel,
    op: &ReduceOp,
    nothing: Nothing,
    (vars, body): (&[IndexVar], &Expr),
) -> Expr {
    match vars {
        [var] if op.is_place() => Expr::literal(Element::Index, Scalar::Int(i128::from(kernel.var(*var).extent))),
        _ => {
            let element = kernel.element_of(body);
            Expr::literal(element, nothing.value(op, element))
        }
    }
}

/// Whether zeros change nothing in a reduction, and it gives zero without terms. For a user's operation this holds if
/// its form shows it: `left + right * right` from 0 on.
pub(crate) fn leaves_zeros_out(kernel: &Kernel, op: &ReduceOp) -> bool {
    let ReduceOp::Custom(fold) = op else { return op.gives_zero() };
    let with_zero = simplify(kernel, &fold.combine, &|_| true);
    fold.identity.value.is_zero() && matches!(with_zero, Some(Expr::Slot(Slot::Left, _)))
}

/// Whether each absent term counts as a separate zero, so that all are visited, because the value of many zeros is
/// not known otherwise.
pub fn visits_zeros(kernel: &Kernel, op: &ReduceOp) -> bool {
    op.is_place() || (matches!(op, ReduceOp::Custom(_)) && !leaves_zeros_out(kernel, op))
}

/// The accesses of an operand of [`Expr::Present`] but for those in reductions, which are values in it.
pub(super) fn asked(of: &Expr) -> Vec<&Access> {
    match of {
        Expr::Reduce { .. } => Vec::new(),
        Expr::Access(access) => vec![access],
        Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Onto { .. } => of.operands().into_iter().flat_map(asked).collect(),
    }
}

/// What a region of [`Expr::Present`] gives: a number is present, even a zero, whatever the expression around it does with
/// it.
pub(super) fn yielded(kernel: &Kernel, arm: Expr) -> Expr {
    match fold::constant(&arm, &|part| kernel.element_of(part)) {
        Some(number) => Expr::there(Expr::Literal(number)),
        None => arm,
    }
}

/// Whether an operand of [`Expr::Present`] is always present: a reduction over all terms is, even without terms, so
/// that the format of its operands does not matter.
pub(crate) fn is_always_there(of: &Expr) -> bool {
    matches!(of, Expr::Reduce { over: Over::All | Over::AllOrZero, .. })
}

/// Whether it stands for an absent term, for loops that visit every coordinate.
pub(crate) fn is_filler(expr: &Expr) -> bool {
    matches!(expr, Expr::Slot(Slot::Left, _))
}

/// The number that an expression is, whether or not it is marked as present.
fn known(expr: &Expr) -> Option<Literal> {
    let Expr::Literal(number) = expr.as_there().unwrap_or(expr) else { return None };
    Some(*number)
}

pub(crate) fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(number) if number.value.is_zero())
}

pub(super) fn is_positive(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(number) if number.value.as_f64() > 0.0)
}

/// The value at zero of an operation that does not preserve it.
fn at_zero(op: UnaryOp, element: Element) -> Expr {
    let value = match op {
        // The real or the imaginary part may be -0.
        _ if element.is_complex() => return Expr::Unary(op, Box::new(Expr::zero(element))),
        UnaryOp::Function(function) => match function.at_zero() {
            1.0 => Scalar::Int(1),
            other => Scalar::Float(other),
        },
        UnaryOp::Not => Scalar::Int(all_ones(element)),
        UnaryOp::Neg | UnaryOp::Abs | UnaryOp::Conj | UnaryOp::Real | UnaryOp::Imag | UnaryOp::Angle => Scalar::Int(0),
        UnaryOp::Sign | UnaryOp::Square => Scalar::Int(0),
    };
    Expr::literal(element, value)
}

/// Every bit set.
fn all_ones(element: Element) -> i128 {
    match element.int_range() {
        Some((0, high)) => high,
        _ => -1,
    }
}

pub(super) fn uses(expr: &Expr, tensor: TensorId) -> bool {
    expr.accesses().iter().any(|access| access.tensor == tensor)
}

/// Whether the value at a sum of entries is the sum of the values at each: the operand is a factor once.
pub(super) fn is_linear(expr: &Expr, tensor: TensorId) -> bool {
    match expr {
        Expr::Access(access) => access.tensor == tensor,
        Expr::Unary(UnaryOp::Neg, a) => is_linear(a, tensor),
        Expr::Binary(BinaryOp::Mul, a, b) => {
            (is_linear(a, tensor) && !uses(b, tensor)) || (is_linear(b, tensor) && !uses(a, tensor))
        }
        Expr::Binary(BinaryOp::Div, a, b) => is_linear(a, tensor) && !uses(b, tensor),
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => is_linear(a, tensor) && is_linear(b, tensor),
        Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => false,
    }
}

#[cfg(test)]
mod tests;
