//! Where the right side of an update is present, as a condition: a sum over stored terms in a larger expression is absent
//! without terms, and only its loops tell whether it has any.

use super::{Element, Expr, Over, ReduceOp, Scalar, Updater, factors::is_number};
use nnz_kernel::{BinaryOp, CompareOp, UnaryOp};

impl Updater<'_> {
    /// The condition, if `expr` is a product, a sum or a function that keeps zeros of such sums; `None` of others, whose
    /// presence loops can test.
    pub(super) fn there(&self, expr: &Expr) -> Option<Expr> {
        // A sign or a cast alone makes no larger expression of a reduction.
        if let Expr::Unary(UnaryOp::Neg, a) | Expr::Cast(_, a) = expr
            && let Some(any) = any_stored(unsigned(a))
        {
            return Some(any);
        }
        let has_sum = expr.nodes().into_iter().any(|node| self.sums_stored(node).is_some());
        if has_sum { self.condition(expr) } else { None }
    }

    fn condition(&self, expr: &Expr) -> Option<Expr> {
        if let Some(any) = self.sums_stored(expr) {
            return Some(any);
        }
        match expr {
            Expr::Access(_) => Some(truth(expr)),
            Expr::Cast(_, a) => self.condition(a),
            Expr::Unary(op, a) if op.preserves_zero() => self.condition(a),
            // Where a condition on indices does not hold, the product is absent.
            Expr::Binary(BinaryOp::Mul, a, b)
                if unsigned(a).is_index_condition() || unsigned(b).is_index_condition() =>
            {
                None
            }
            Expr::Binary(BinaryOp::Mul, a, b) => self.both(BinaryOp::And, a, b),
            // An absent divisor forces nothing.
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod, a, _) => self.condition(a),
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max | BinaryOp::Pow, a, b)
            | Expr::Compare(_, a, b)
                if is_scalar(a) != is_scalar(b) =>
            {
                self.condition_beside_scalar(expr, [a, b])
            }
            Expr::Binary(BinaryOp::Min, a, b) if self.is_unsigned(a) => self.both(BinaryOp::And, a, b),
            Expr::Binary(op, a, b) if is_absent_beside(*op, b) => self.condition(a),
            Expr::Binary(op, a, b) if is_absent_beside(*op, a) => self.condition(b),
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max, a, b)
                if self.may_be_absent(a) && self.may_be_absent(b) =>
            {
                self.both(BinaryOp::Or, a, b)
            }
            Expr::Binary(BinaryOp::Pow, a, b) if number(b).is_some_and(|power| power > 0.0) => self.condition(a),
            Expr::Binary(BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And, a, b) if number(b).is_some() => {
                self.condition(a)
            }
            Expr::Compare(op, a, b) => self.condition_of_comparison(*op, a, b),
            Expr::Select { cond, then, other: Some(other) }
                if number(then) != Some(0.0)
                    && number(other) != Some(0.0)
                    && (cond.is_index_condition() || !self.may_be_absent(cond)) =>
            {
                let [then, other] = [self.arm(Some(then))?, self.arm(Some(other))?].map(Box::new);
                Some(Expr::Select { cond: cond.clone(), then, other: Some(other) })
            }
            Expr::Present { of, then, other } => {
                let [then, other] = [self.arm(then.as_deref())?, self.arm(other.as_deref())?].map(Box::new);
                Some(Expr::Present { of: of.clone(), then: Some(then), other: Some(other) })
            }
            Expr::Literal(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => None,
        }
    }

    /// An operation with a scalar of the session is absent where its other operand is and the number that it then gives is
    /// zero.
    fn condition_beside_scalar(&self, expr: &Expr, [a, b]: [&Expr; 2]) -> Option<Expr> {
        let (other, scalar) = if is_scalar(b) { (a, b) } else { (b, a) };
        let without = expr.with_parts(&|part| if part == other { absent(scalar) } else { part.clone() });
        let gives = if matches!(expr, Expr::Compare(..)) {
            without
        } else {
            Expr::Compare(CompareOp::Ne, Box::new(without), Box::new(absent(scalar)))
        };
        Some(Expr::Binary(BinaryOp::Or, Box::new(self.condition(other)?), Box::new(gives)))
    }

    /// A comparison is absent if it holds of no zeros in the place of what is absent.
    fn condition_of_comparison(&self, op: CompareOp, a: &Expr, b: &Expr) -> Option<Expr> {
        let holds = |a: f64, b: f64| match op {
            CompareOp::Eq => a == b,
            CompareOp::Ne => a != b,
            CompareOp::Lt => a < b,
            CompareOp::Le => a <= b,
            CompareOp::Gt => a > b,
            CompareOp::Ge => a >= b,
        };
        match (number(a), number(b)) {
            (None, Some(b)) if !holds(0.0, b) => self.condition(a),
            (Some(a), None) if !holds(a, 0.0) => self.condition(b),
            (None, None) if !holds(0.0, 0.0) && self.may_be_absent(a) && self.may_be_absent(b) => {
                self.both(BinaryOp::Or, a, b)
            }
            // Of a value everywhere.
            (None, None) if !self.may_be_absent(a) || !self.may_be_absent(b) => always(),
            _ => None,
        }
    }

    /// Of an arm; what it gives is present if it is never absent.
    fn arm(&self, arm: Option<&Expr>) -> Option<Expr> {
        match arm {
            None => Some(Expr::literal(Element::I1, Scalar::Int(0))),
            Some(arm) if !self.may_be_absent(arm) => always(),
            Some(arm) => self.condition(arm).or_else(|| if gives_number(arm) { always() } else { None }),
        }
    }

    pub(super) fn is_unsigned(&self, expr: &Expr) -> bool {
        (self.element)(expr).int_range().is_some_and(|(low, _)| low == 0)
    }

    /// Whether a reduction that is absent without terms, even in a larger expression, has any.
    fn sums_stored(&self, expr: &Expr) -> Option<Expr> {
        let Expr::Reduce { op, body, .. } = expr else { return None };
        let from_zero = matches!(op, ReduceOp::Custom(fold) if fold.identity.value.is_zero());
        if op.gives_zero_of((self.element)(body)) || from_zero { any_stored(expr) } else { None }
    }

    /// `expr`, a larger expression, as the operand of a region, in which reductions over stored terms are numbers: those that
    /// are absent without terms are filters.
    pub(super) fn asked(&self, expr: &Expr) -> Expr {
        expr.replaced(&|part| {
            // What another region asks for is no part of this.
            if let Expr::Present { of, then, other } = part {
                let [then, other] = [then, other].map(|arm| arm.as_deref().map(|arm| Box::new(self.asked(arm))));
                return Some(Expr::Present { of: of.clone(), then, other });
            }
            let one = Expr::literal((self.element)(part), Scalar::Int(1));
            match self.sums_stored(part) {
                Some(cond) => Some(Expr::Select { cond: Box::new(cond), then: Box::new(one), other: None }),
                // In a larger expression it is a value, also where the rest of that is absent.
                None => any_stored(part).map(|_| Expr::there(one)),
            }
        })
    }

    /// Of two operands; one that is never absent says nothing.
    fn both(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Expr> {
        match [a, b].map(|operand| self.may_be_absent(operand)) {
            [true, true] => Some(Expr::Binary(op, Box::new(self.condition(a)?), Box::new(self.condition(b)?))),
            [true, false] => self.condition(a),
            [false, true] => self.condition(b),
            [false, false] => None,
        }
    }
}

/// Whether an operation gives a number other than zero for an absent operand: as what a choice gives it is a value.
fn gives_number(expr: &Expr) -> bool {
    match expr {
        Expr::Cast(_, a) => gives_number(a),
        Expr::Unary(op, _) => !op.preserves_zero(),
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max), a, b) => {
            let beside = |number: &Expr| self::number(number).is_some() && !is_absent_beside(*op, number);
            beside(a) || beside(b)
        }
        Expr::Compare(op, ..) => op.holds_of_equals(),
        Expr::Access(_)
        | Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Binary(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => false,
    }
}

/// The condition that always holds.
fn always() -> Option<Expr> {
    Some(Expr::literal(Element::I1, Scalar::Int(1)))
}

/// Whether a reduction over stored terms has any.
fn any_stored(expr: &Expr) -> Option<Expr> {
    matches!(expr, Expr::Reduce { over: Over::Stored, .. }).then(|| truth(expr))
}

/// An expression without signs and casts around it.
fn unsigned(expr: &Expr) -> &Expr {
    if let Expr::Unary(UnaryOp::Neg, a) | Expr::Cast(_, a) = expr { unsigned(a) } else { expr }
}

/// Whether `expr` consists of scalars of the session, of one at least, and numbers.
fn is_scalar(expr: &Expr) -> bool {
    let asks = |node: &Expr| matches!(node, Expr::Present { .. });
    is_number(expr) && !expr.accesses().is_empty() && !expr.nodes().into_iter().any(asks)
}

/// What counts as a zero of the type of `like`.
fn absent(like: &Expr) -> Expr {
    let never = Box::new(Expr::literal(Element::I1, Scalar::Int(0)));
    Expr::Select { cond: never, then: Box::new(like.clone()), other: None }
}

fn number(expr: &Expr) -> Option<f64> {
    if let Expr::Literal(number) = expr { Some(number.value.as_f64()) } else { None }
}

/// Whether an operation with this number gives zero for zero: `max(x, 0)`, `min(x, 3)`.
fn is_absent_beside(op: BinaryOp, number: &Expr) -> bool {
    let Some(value) = self::number(number) else { return false };
    match op {
        BinaryOp::Min => value >= 0.0,
        BinaryOp::Max => value <= 0.0,
        BinaryOp::Add | BinaryOp::Sub => value == 0.0,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod | BinaryOp::Pow => false,
        BinaryOp::Function(_) | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => false,
    }
}

/// 1 where `of` is present, 0 where it is not.
fn truth(of: &Expr) -> Expr {
    let number = |number| Some(Box::new(Expr::literal(Element::I1, Scalar::Int(number))));
    Expr::Present { of: Box::new(of.clone()), then: number(1), other: number(0) }
}
