//! Constant folding when a kernel is planned, with the arithmetic of the loops.

use std::cell::RefCell;

use nnz_base::element::{Element, Scalar};
use nnz_kernel::{BinaryOp, CompareOp, Expr, Literal, UnaryOp};
use nnz_loops::{Binary, Unary, operators::Comparison, scalar};
use num_complex::Complex;

/// The value of `expr` if it consists of numbers and operations on them. `element` gives the types.
pub(crate) fn constant(expr: &Expr, element: &dyn Fn(&Expr) -> Element) -> Option<Literal> {
    let parts = match expr {
        Expr::Literal(number) => return Some(*number),
        Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) => expr.operands().into_iter(),
        Expr::Select { cond, then, other: Some(other) } => return chosen(cond, [then, other], element),
        Expr::Access(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => return None,
    };
    let numbers: Option<Vec<Literal>> = parts.map(|part| constant(part, element)).collect();
    let numbers = RefCell::new(numbers?.into_iter());
    // In the order of the operands.
    let next = |part: &Expr| numbers.borrow_mut().next().map_or_else(|| part.clone(), Expr::Literal);
    let operation = expr.with_parts(&next);
    folded(&operation, element(&operation))
}

/// `expr` with numbers for the operations on numbers in it: `sqrt(4)` is one.
pub(crate) fn with_numbers(expr: &Expr, element: &dyn Fn(&Expr) -> Element) -> Expr {
    expr.replaced(&|part| {
        let operation = matches!(part, Expr::Unary(..) | Expr::Binary(..) | Expr::Cast(..));
        if operation { constant(part, element).map(Expr::Literal) } else { None }
    })
}

/// The number that a condition on numbers chooses. A zero that is chosen need not be there, so it is no number.
fn chosen(cond: &Expr, [then, other]: [&Expr; 2], element: &dyn Fn(&Expr) -> Element) -> Option<Literal> {
    let holds = !constant(cond, element)?.value.is_zero();
    constant(if holds { then } else { other }, element).filter(|number| !number.value.is_zero())
}

/// The number that `expr` comes to, an operation on numbers; `None` of anything else. `element` is its type.
pub(super) fn folded(expr: &Expr, element: Element) -> Option<Literal> {
    let value = match expr {
        Expr::Unary(op, a) => unary_value(*op, number(a)?),
        Expr::Binary(BinaryOp::Mod, a, b) => modulo(number(a)?, number(b)?),
        Expr::Binary(op, a, b) => {
            let (a, b) = (number(a)?, number(b)?);
            scalar::binary(binary(*op), a.0, a.1, b.1)
        }
        Expr::Compare(op, a, b) => Scalar::Int(i128::from(holds(*op, number(a)?.1, number(b)?.1))),
        Expr::Cast(Element::I1, a) => Scalar::Int(i128::from(!number(a)?.1.is_zero())),
        Expr::Cast(to, a) => scalar::convert(*to, number(a)?.1),
        Expr::Access(_)
        | Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => return None,
    };
    Some(Literal { element, value: scalar::rounded(element, value) })
}

fn number(expr: &Expr) -> Option<(Element, Scalar)> {
    let Expr::Literal(number) = expr else { return None };
    Some((number.element, scalar::rounded(number.element, converted(number.element, number.value))))
}

fn unary_value(op: UnaryOp, (element, a): (Element, Scalar)) -> Scalar {
    let one = converted(element, Scalar::Int(1));
    let zero = element.zero();
    let below = |a, b| scalar::compare(Comparison::Lt, scalar::order(a, b));
    match op {
        UnaryOp::Square => scalar::binary(Binary::Mul, element, a, a),
        UnaryOp::Sign if below(zero, a) => one,
        UnaryOp::Sign if below(a, zero) => scalar::unary(Unary::Neg, element, one),
        UnaryOp::Sign => a,
        UnaryOp::Neg
        | UnaryOp::Not
        | UnaryOp::Abs
        | UnaryOp::Conj
        | UnaryOp::Real
        | UnaryOp::Imag
        | UnaryOp::Angle
        | UnaryOp::Function(_) => scalar::unary(unary(op), element, a),
    }
}

/// The remainder, moved by the divisor where their signs differ.
fn modulo((element, a): (Element, Scalar), (_, b): (Element, Scalar)) -> Scalar {
    let rest = scalar::binary(Binary::Rem, element, a, b);
    let below = |a: Scalar| holds(CompareOp::Lt, a, element.zero());
    match !rest.is_zero() && below(rest) != below(b) {
        true => scalar::binary(Binary::Add, element, rest, b),
        false => rest,
    }
}

fn holds(op: CompareOp, a: Scalar, b: Scalar) -> bool {
    let (op, a, b) = match op {
        CompareOp::Eq => (Comparison::Eq, a, b),
        CompareOp::Ne => (Comparison::Ne, a, b),
        CompareOp::Lt => (Comparison::Lt, a, b),
        CompareOp::Le => (Comparison::Le, a, b),
        CompareOp::Gt => (Comparison::Lt, b, a),
        CompareOp::Ge => (Comparison::Le, b, a),
    };
    scalar::compare(op, scalar::order(a, b))
}

/// The operation of loop IR; [`UnaryOp::Sign`] and [`UnaryOp::Square`] are more than one.
pub(crate) fn unary(op: UnaryOp) -> Unary {
    match op {
        UnaryOp::Neg | UnaryOp::Sign | UnaryOp::Square => Unary::Neg,
        UnaryOp::Not => Unary::BitNot,
        UnaryOp::Abs => Unary::Abs,
        UnaryOp::Conj => Unary::Conj,
        UnaryOp::Real => Unary::Re,
        UnaryOp::Imag => Unary::Im,
        UnaryOp::Angle => Unary::Angle,
        UnaryOp::Function(function) => Unary::Function(function),
    }
}

/// The operation of loop IR; [`BinaryOp::Mod`] is more than one.
pub(crate) fn binary(op: BinaryOp) -> Binary {
    match op {
        BinaryOp::Add => Binary::Add,
        BinaryOp::Sub => Binary::Sub,
        BinaryOp::Mul => Binary::Mul,
        BinaryOp::Div => Binary::Div,
        BinaryOp::Rem | BinaryOp::Mod => Binary::Rem,
        BinaryOp::Min => Binary::Min,
        BinaryOp::Max => Binary::Max,
        BinaryOp::Pow => Binary::Pow,
        BinaryOp::Function(function) => Binary::Function(function),
        BinaryOp::And => Binary::BitAnd,
        BinaryOp::Or => Binary::BitOr,
        BinaryOp::Xor => Binary::BitXor,
        BinaryOp::Shl => Binary::Shl,
        BinaryOp::Shr => Binary::Shr,
    }
}

/// A literal as a value of `element`; validation has found that it is one.
pub(crate) fn converted(element: Element, scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Int(_) if element.is_integer() => scalar,
        Scalar::Complex(_) => scalar,
        real if element.is_complex() => Scalar::Complex(Complex::new(real.as_f64(), 0.0)),
        Scalar::Float(_) | Scalar::Int(_) => Scalar::Float(scalar.as_f64()),
    }
}
