//! The condition under which an expression has a value, if filters or conditions on index variables decide that.
//!
//! `zero` decides absence by structure; here every access is present.

use super::{
    fold::{folded, with_numbers},
    zero::{is_positive, is_zero},
};
use nnz_base::element::Element;
use nnz_kernel::{BinaryOp, CompareOp, Expr, Kernel, Literal, UnaryOp};

/// The condition (`i1`) under which `expr`, a part of `kernel`'s expression without absent accesses, has a value;
/// `None` for always. [`Expr::Select`] without its other arm, a filter, makes that depend on values and on index variables.
pub(crate) fn of(kernel: &Kernel, expr: &Expr) -> Option<Expr> {
    Guard { kernel }.presence(&with_numbers(expr, &|part| kernel.element_of(part)))
}

/// Whether an expression with filters has a value whatever they let through: `select(c(i), x(i)) + 3`.
pub(super) fn passes(kernel: &Kernel, expr: &Expr) -> bool {
    let filter = |node: &Expr| matches!(node, Expr::Select { other: None, .. });
    expr.nodes().into_iter().any(filter) && of(kernel, expr).is_none()
}

/// The condition under which a product, a quotient or a negation has a value; `None` for always, and for anything else.
/// Where it does not hold, the value would be computed from zeros of filtered operands: NaN of an infinity, or -0.
pub(crate) fn of_zero(kernel: &Kernel, expr: &Expr) -> Option<Expr> {
    let scaled = matches!(
        expr,
        Expr::Binary(BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod, ..) | Expr::Unary(UnaryOp::Neg, _)
    );
    scaled.then(|| of(kernel, expr)).flatten()
}

/// `then` where the condition holds, and elsewhere `other`; `None` if neither ever has a value.
pub(crate) fn chosen_by(cond: Expr, then: Option<Expr>, other: Option<Expr>) -> Option<Expr> {
    let select = |cond, then, other: Option<Expr>| Expr::Select {
        cond: Box::new(cond),
        then: Box::new(then),
        other: other.map(Box::new),
    };
    match (then, other) {
        (Some(then), other) => Some(select(cond, then, other)),
        (None, Some(other)) => Some(select(not(cond), other, None)),
        (None, None) => None,
    }
}

/// An operation on more choices is asked as a whole, as each doubles the condition.
const MOST_CHOICES: usize = 8;

struct Guard<'k> {
    kernel: &'k Kernel,
}

impl Guard<'_> {
    fn presence(&self, expr: &Expr) -> Option<Expr> {
        let of_filters = || self.is_zero_without_filters(expr).then(|| self.any_filter(expr)).flatten();
        self.presence_of_parts(expr).or_else(of_filters).or_else(|| self.by_arm(expr))
    }

    /// The condition where a choice by value within an operation decides whether a filter matters:
    /// `exp(select(c(i) > 0, f, 2)) - 1` has a value where the operation of the arm that is chosen has one.
    fn by_arm(&self, expr: &Expr) -> Option<Expr> {
        let choices = expr.nodes().into_iter().filter(|node| matches!(node, Expr::Select { other: Some(_), .. }));
        if choices.count() > MOST_CHOICES {
            return None;
        }
        let choice = expr.operands().into_iter().find_map(|part| self.open_choice(part))?;
        let Expr::Select { cond, then, other: Some(other) } = choice else { return None };
        let with = |arm: Expr| self.presence(&expr.replaced(&|part| (part == choice).then(|| arm.clone())));
        self.chosen(cond, [with(self.taken(then, other)), with(self.taken(other, then))])
    }

    /// An arm that a value has chosen: a number in it is there, and a zero where the arm beside it is.
    fn taken(&self, arm: &Expr, beside: &Expr) -> Expr {
        if !is_number(arm) {
            return arm.clone();
        }
        let there = Expr::there(arm.clone());
        match self.presence(beside).filter(|_| is_zero(arm)) {
            Some(cond) => Expr::Select { cond: Box::new(cond), then: Box::new(there), other: None },
            None => there,
        }
    }

    /// The first choice among the operands of operations whose condition is a value, and of whose arms one depends on filters.
    fn open_choice<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        let has_filter =
            |part: &Expr| part.nodes().into_iter().any(|node| matches!(node, Expr::Select { other: None, .. }));
        match expr {
            Expr::Select { cond, then, other: Some(other) } => {
                let open = self.without_filters(cond).is_none() && (has_filter(then) || has_filter(other));
                open.then_some(expr)
            }
            Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) => {
                expr.operands().into_iter().find_map(|part| self.open_choice(part))
            }
            Expr::Access(_)
            | Expr::Literal(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Select { .. }
            | Expr::Present { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => None,
        }
    }

    /// The condition under which the arm that `cond` chooses has a value.
    fn chosen(&self, cond: &Expr, [there, elsewhere]: [Option<Expr>; 2]) -> Option<Expr> {
        if there.is_none() && elsewhere.is_none() {
            return None;
        }
        let chosen = both(BinaryOp::And, cond.clone(), there);
        Some(both(BinaryOp::Or, chosen, Some(both(BinaryOp::And, not(cond.clone()), elsewhere))))
    }

    /// The condition under which one of the filters in an expression, which is zero without them, lets a value through.
    fn any_filter(&self, expr: &Expr) -> Option<Expr> {
        let filters = self.deciding(expr).into_iter().filter_map(|part| {
            let is_known = matches!(part, Expr::Select { cond, .. } if self.without_filters(cond).is_some());
            let there = if is_known { None } else { self.presence_of_parts(part) };
            there.or_else(|| self.any_filter(part))
        });
        filters.reduce(|a, b| both(BinaryOp::Or, a, Some(b)))
    }

    /// The operands whose filters decide: of a choice whose condition is known without filters, the arm that it then chooses.
    fn deciding<'e>(&self, expr: &'e Expr) -> Vec<&'e Expr> {
        if let Expr::Select { cond, then, other: Some(other) } = expr
            && let Some(known) = self.without_filters(cond)
        {
            return vec![&**cond, if known.value.is_zero() { &**other } else { &**then }];
        }
        expr.operands()
    }

    /// The condition that follows from the conditions of an expression's parts.
    fn presence_of_parts(&self, expr: &Expr) -> Option<Expr> {
        let part = |part: &Expr| self.presence(part);
        match expr {
            Expr::Select { cond, then, other: None } => {
                let there = self.zero_chosen_by_value(cond, then).or_else(|| part(then));
                Some(both(BinaryOp::And, (**cond).clone(), there))
            }
            Expr::Select { cond, then, other: Some(other) } => self.presence_of_choice(cond, [then, other]),
            Expr::Unary(op, a) if op.preserves_zero() => part(a),
            Expr::Cast(_, a) => part(a),
            Expr::Binary(BinaryOp::Mul | BinaryOp::And, a, b) => all_of(part(a), part(b)),
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod, a, _) => part(a),
            Expr::Binary(BinaryOp::Shl | BinaryOp::Shr, a, _) => part(a),
            Expr::Binary(BinaryOp::Pow, a, b) if is_positive(b) => part(a),
            Expr::Binary(_, a, b) | Expr::Compare(_, a, b) if is_number(b) && comes_to_zero(expr, b) => part(a),
            Expr::Binary(_, a, b) | Expr::Compare(_, a, b) if is_number(a) && comes_to_zero(expr, a) => part(b),
            Expr::Binary(BinaryOp::Min, a, b) if self.kernel.element_of(a).is_unsigned() => all_of(part(a), part(b)),
            // Nothing is less than an unsigned zero.
            Expr::Compare(CompareOp::Gt, of, _) | Expr::Compare(CompareOp::Lt, _, of)
                if self.kernel.element_of(of).is_unsigned() =>
            {
                part(of)
            }
            Expr::Binary(op, a, b) if op.preserves_zero() => Some(both(BinaryOp::Or, part(a)?, Some(part(b)?))),
            Expr::Compare(op, a, b) if !op.holds_of_equals() => Some(both(BinaryOp::Or, part(a)?, Some(part(b)?))),
            Expr::Access(_)
            | Expr::Literal(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Present { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => None,
        }
    }

    /// Whether an expression of numbers and filters is zero where no filter lets a value through: `max(f, 1) - 1`.
    fn is_zero_without_filters(&self, expr: &Expr) -> bool {
        let is_filter = |node: &Expr| matches!(node, Expr::Select { other: None, .. });
        expr.nodes().into_iter().any(is_filter) && self.without_filters(expr).is_some_and(|left| left.value.is_zero())
    }

    /// The value of an expression where its filters let no value through, if it is known.
    fn without_filters(&self, expr: &Expr) -> Option<Literal> {
        match expr {
            Expr::Literal(number) => Some(*number),
            Expr::Select { cond, then, other } => self.choice_without_filters(cond, then, other.as_deref()),
            // A product is absent where one of its factors is.
            Expr::Binary(BinaryOp::Mul | BinaryOp::And | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod, ..)
                if self.presence_of_parts(expr).is_some() =>
            {
                Some(self.nothing(expr))
            }
            Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) => {
                let left = |part: &Expr| self.without_filters(part).map(Expr::Literal);
                expr.operands().into_iter().all(|part| left(part).is_some()).then_some(())?;
                let numbers = expr.with_parts(&|part| left(part).unwrap_or_else(|| part.clone()));
                folded(&numbers, self.kernel.element_of(expr))
            }
            Expr::Access(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Present { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => None,
        }
    }

    fn nothing(&self, like: &Expr) -> Literal {
        let element = self.kernel.element_of(like);
        Literal { element, value: element.zero() }
    }

    /// Where the condition is then known, the arm that it chooses. Else an arm without a value counts as a zero, and so
    /// does a zero beside it.
    fn choice_without_filters(&self, cond: &Expr, then: &Expr, other: Option<&Expr>) -> Option<Literal> {
        match (self.without_filters(cond), other) {
            (Some(known), _) if !known.value.is_zero() => self.without_filters(then),
            (Some(_), Some(other)) => self.without_filters(other),
            (Some(_) | None, None) => Some(self.nothing(then)),
            (None, Some(other)) => {
                let zeros = [then, other].iter().all(|arm| is_zero(arm) || self.is_zero_without_filters(arm));
                (zeros && !(is_zero(then) && is_zero(other))).then(|| self.nothing(then))
            }
        }
    }

    /// A zero that `cond` chooses is absent where absent operands alone make it hold, as they do `A(i) < 2`. The condition
    /// under which a value does.
    fn zero_chosen_by_value(&self, cond: &Expr, arm: &Expr) -> Option<Expr> {
        let chosen = || self.without_filters(cond).is_some_and(|known| !known.value.is_zero());
        (is_zero(arm) && chosen()).then(|| self.any_filter(cond)).flatten()
    }

    fn presence_of_choice(&self, cond: &Expr, [then, other]: [&Expr; 2]) -> Option<Expr> {
        let known = self.presence(cond);
        let [there, elsewhere] = [then, other].map(|arm| self.presence(arm));
        match known {
            // A zero that is chosen instead of an absent value is absent, too, and so is one that absent operands choose.
            known if is_zero(other) => all_of(known, there),
            _ if is_zero(then) => all_of(self.zero_chosen_by_value(cond, then), elsewhere),
            _ => self.chosen(cond, [there, elsewhere]),
        }
    }
}

/// Both conditions, each if there is one.
fn all_of(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), b) => Some(both(BinaryOp::And, a, b)),
        (None, b) => b,
    }
}

fn not(cond: Expr) -> Expr {
    Expr::Unary(UnaryOp::Not, Box::new(cond))
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(_))
}

/// Whether `expr`, an operation on `number` and another operand, is zero where that operand is zero.
fn comes_to_zero(expr: &Expr, number: &Expr) -> bool {
    let Expr::Literal(Literal { element, .. }) = number else { return false };
    let at_zero = expr.with_parts(&|part| if is_number(part) { part.clone() } else { Expr::zero(*element) });
    let of = if matches!(expr, Expr::Compare(..)) { Element::I1 } else { *element };
    folded(&at_zero, of).is_some_and(|value| value.value.is_zero())
}

/// `a op b`; `a` where there is no `b`.
fn both(op: BinaryOp, a: Expr, b: Option<Expr>) -> Expr {
    match b {
        Some(b) => Expr::Binary(op, Box::new(a), Box::new(b)),
        None => a,
    }
}
