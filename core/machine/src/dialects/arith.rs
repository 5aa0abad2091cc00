//! `arith` at run time: numbers. Constants and conversions are in a file of their own.

use crate::{
    dialects::math::unary_expr,
    meaning::{Function, Row, Rule, Signature, scalar, scalar_asking},
};
use nnz_base::element::{Element, Scalar};
use nnz_kernel::{BinaryOp, CompareOp, Expr, UnaryOp};
use nnz_loops::{Binary, Unary, scalar as number};
use nnz_mlir::{
    attribute::Attribute,
    dialects::arith::{FLOAT_PREDICATES, INTEGER_PREDICATES},
};

/// A binary operation that kernels and the evaluator have by one name.
macro_rules! both {
    ($loops:ident, $kernel:ident) => {
        Function { apply: |s, a| binary(s, a, Binary::$loops), expr: |_, a| pair(a, BinaryOp::$kernel) }
    };
}

/// A function of two integers, which `$read` reads as signed or unsigned; `$expr` says it in a kernel.
macro_rules! integers {
    ($read:ident, $function:expr, $expr:expr) => {
        Function {
            apply: |s, values| {
                let [a, b] = two(values)?.map(|value| $read(s.to, value));
                let function: fn(i128, i128) -> Option<i128> = $function;
                function(a, b).map(|result| wrapped(s.to, result)).ok_or_else(|| "division by zero".to_string())
            },
            expr: $expr,
        }
    };
}

pub(super) static MEANINGS: &[Row] = &[
    scalar("arith.addf", Rule::Sum, both!(Add, Add)),
    scalar("arith.subf", Rule::Difference, both!(Sub, Sub)),
    scalar("arith.mulf", Rule::Product, both!(Mul, Mul)),
    scalar("arith.divf", Rule::Quotient, both!(Div, Div)),
    scalar("arith.remf", Rule::Quotient, both!(Rem, Rem)),
    scalar("arith.maximumf", Rule::Zeros, both!(Max, Max)),
    scalar("arith.minimumf", Rule::Zeros, both!(Min, Min)),
    scalar("arith.maxnumf", Rule::Zeros, Function { apply: |s, a| number_or(s, a, Binary::Max), expr: no_expr }),
    scalar("arith.minnumf", Rule::Zeros, Function { apply: |s, a| number_or(s, a, Binary::Min), expr: no_expr }),
    scalar("arith.negf", Rule::Zeros, NEGATE),
    scalar("arith.addi", Rule::Sum, both!(Add, Add)),
    scalar("arith.subi", Rule::Difference, both!(Sub, Sub)),
    scalar("arith.muli", Rule::Product, both!(Mul, Mul)),
    scalar("arith.andi", Rule::Product, both!(BitAnd, And)),
    scalar("arith.ori", Rule::Sum, both!(BitOr, Or)),
    scalar("arith.xori", Rule::Sum, both!(BitXor, Xor)),
    scalar(
        "arith.maxsi",
        Rule::Zeros,
        integers!(to_signed, |a, b| Some(a.max(b)), |s, a| of_signed(s, a, BinaryOp::Max)),
    ),
    scalar(
        "arith.minsi",
        Rule::Zeros,
        integers!(to_signed, |a, b| Some(a.min(b)), |s, a| of_signed(s, a, BinaryOp::Min)),
    ),
    scalar("arith.maxui", Rule::Zeros, integers!(to_unsigned, |a, b| Some(a.max(b)), no_expr)),
    scalar("arith.minui", Rule::Product, integers!(to_unsigned, |a, b| Some(a.min(b)), no_expr)),
    scalar("arith.divsi", Rule::Quotient, integers!(to_signed, |a, b| a.checked_div(b), no_expr)),
    scalar("arith.divui", Rule::Quotient, integers!(to_unsigned, |a, b| a.checked_div(b), no_expr)),
    scalar("arith.remsi", Rule::Quotient, integers!(to_signed, |a, b| a.checked_rem(b), no_expr)),
    scalar("arith.remui", Rule::Quotient, integers!(to_unsigned, |a, b| a.checked_rem(b), no_expr)),
    scalar("arith.floordivsi", Rule::Quotient, integers!(to_signed, floor_div, no_expr)),
    scalar("arith.ceildivsi", Rule::Quotient, integers!(to_signed, ceil_div, no_expr)),
    scalar("arith.ceildivui", Rule::Quotient, integers!(to_unsigned, ceil_div, no_expr)),
    scalar("arith.shli", Rule::Quotient, integers!(to_unsigned, |a, b| Some(shifted(a, b, |a, by| a << by)), no_expr)),
    scalar("arith.shrui", Rule::Quotient, integers!(to_unsigned, |a, b| Some(shifted(a, b, |a, by| a >> by)), no_expr)),
    scalar("arith.shrsi", Rule::Quotient, integers!(to_signed, |a, b| Some(shifted(a, b, |a, by| a >> by)), no_expr)),
    scalar("arith.cmpf", Rule::Zeros, Function { apply: compare_floats, expr: compare_expr }),
    scalar_asking("arith.cmpi", rule_of_comparison, Function { apply: compare_integers, expr: compare_expr }),
    scalar("arith.select", Rule::Choice, Function { apply: select, expr: select_expr }),
];

/// The expression of an operation that kernels do not have.
pub(crate) fn no_expr(_: &Signature<'_>, _: Vec<Expr>) -> Option<Expr> {
    None
}

pub(crate) fn pair(operands: Vec<Expr>, op: BinaryOp) -> Option<Expr> {
    let [a, b]: [Expr; 2] = operands.try_into().ok()?;
    Some(Expr::Binary(op, Box::new(a), Box::new(b)))
}

/// Kernels take the sign from the type: `index` and `i1` have none there.
fn of_signed(signature: &Signature<'_>, operands: Vec<Expr>, op: BinaryOp) -> Option<Expr> {
    let signed = signature.to.int_range().is_some_and(|(low, _)| low < 0);
    if signed { pair(operands, op) } else { None }
}

pub(crate) fn two(operands: &[Scalar]) -> Result<[Scalar; 2], String> {
    operands.try_into().map_err(|_| "two operands are wanted".to_string())
}

pub(crate) fn binary(s: &Signature<'_>, operands: &[Scalar], op: Binary) -> Result<Scalar, String> {
    let [a, b] = two(operands)?;
    Ok(number::binary(op, s.to, a, b))
}

const NEGATE: Function = Function {
    apply: |s, a| Ok(number::unary(Unary::Neg, s.to, a.first().copied().unwrap_or(s.to.zero()))),
    expr: |_, a| unary_expr(a, UnaryOp::Neg),
};

/// The result of `op`, or the other operand where one is NaN.
fn number_or(signature: &Signature<'_>, operands: &[Scalar], op: Binary) -> Result<Scalar, String> {
    let [a, b] = two(operands)?;
    Ok(match (a.as_f64().is_nan(), b.as_f64().is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ => number::binary(op, signature.to, a, b),
    })
}

/// How many numbers a type of integers has.
pub(super) fn count(element: Element) -> i128 {
    element.int_range().map_or(1 << 64, |(low, high)| high - low + 1)
}

fn int(value: Scalar) -> i128 {
    if let Scalar::Int(number) = value { number } else { 0 }
}

pub(crate) fn to_unsigned(element: Element, value: Scalar) -> i128 {
    int(value).rem_euclid(count(element))
}

pub(crate) fn to_signed(element: Element, value: Scalar) -> i128 {
    let (size, number) = (count(element), to_unsigned(element, value));
    if number >= size / 2 { number - size } else { number }
}

pub(crate) fn wrapped(element: Element, number: i128) -> Scalar {
    Scalar::Int(number::wrapped(element, number))
}

fn floor_div(a: i128, b: i128) -> Option<i128> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

fn ceil_div(a: i128, b: i128) -> Option<i128> {
    floor_div(-a, b).map(|quotient| -quotient)
}

/// A shift by more bits than any type has leaves nothing.
fn shifted(a: i128, by: i128, shift: fn(i128, u32) -> i128) -> i128 {
    match u32::try_from(by) {
        Ok(by) if by < 64 => shift(a, by),
        _ => 0,
    }
}

/// The predicate by name, which the attribute numbers.
fn predicate(signature: &Signature<'_>, names: &'static [&'static str]) -> &'static str {
    let number = signature.op.attribute("predicate").and_then(Attribute::as_int);
    number.and_then(|at| names.get(usize::try_from(at).ok()?)).copied().unwrap_or("")
}

fn compare_floats(signature: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let [a, b] = two(operands)?.map(Scalar::as_f64);
    let name = predicate(signature, FLOAT_PREDICATES);
    let unordered = a.is_nan() || b.is_nan();
    let holds = match name {
        "false" => false,
        "true" => true,
        "ord" => !unordered,
        "uno" => unordered,
        _ if unordered => name.starts_with('u'),
        _ => name.get(1..).and_then(relation).is_some_and(|op| holds(op, a.partial_cmp(&b))),
    };
    Ok(Scalar::Int(holds.into()))
}

/// How each comparison of integers takes missing operands: zero is less than no number without a sign.
const RULES_OF_COMPARISONS: &[(&str, Rule)] = &[
    ("eq", Rule::Zeros),
    ("ne", Rule::Zeros),
    ("slt", Rule::Zeros),
    ("sle", Rule::Zeros),
    ("sgt", Rule::Zeros),
    ("sge", Rule::Zeros),
    ("ult", Rule::Below),
    ("ule", Rule::Zeros),
    ("ugt", Rule::Quotient),
    ("uge", Rule::Zeros),
];

fn rule_of_comparison(signature: &Signature<'_>) -> Rule {
    let asked = predicate(signature, INTEGER_PREDICATES);
    RULES_OF_COMPARISONS.iter().find(|(name, _)| *name == asked).map_or(Rule::Zeros, |(_, rule)| *rule)
}

fn compare_integers(signature: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let name = predicate(signature, INTEGER_PREDICATES);
    let read = if name.starts_with('u') { to_unsigned } else { to_signed };
    let [a, b] = two(operands)?.map(|value| read(signature.from, value));
    let holds = relation(name.trim_start_matches(['s', 'u'])).is_some_and(|op| holds(op, Some(a.cmp(&b))));
    Ok(Scalar::Int(holds.into()))
}

fn relation(name: &str) -> Option<CompareOp> {
    Some(match name {
        "eq" => CompareOp::Eq,
        "ne" => CompareOp::Ne,
        "lt" => CompareOp::Lt,
        "le" => CompareOp::Le,
        "gt" => CompareOp::Gt,
        "ge" => CompareOp::Ge,
        _ => return None,
    })
}

fn holds(op: CompareOp, order: Option<std::cmp::Ordering>) -> bool {
    order.is_some_and(|order| match op {
        CompareOp::Eq => order.is_eq(),
        CompareOp::Ne => order.is_ne(),
        CompareOp::Lt => order.is_lt(),
        CompareOp::Le => order.is_le(),
        CompareOp::Gt => order.is_gt(),
        CompareOp::Ge => order.is_ge(),
    })
}

/// Comparisons of kernels are ordered, but for `!=`; of integers their sign is the type's.
fn compare_expr(signature: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    let float = signature.from.is_float();
    let name = predicate(signature, if float { FLOAT_PREDICATES } else { INTEGER_PREDICATES });
    let signed = signature.from.int_range().is_some_and(|(low, _)| low < 0);
    let relation = match name {
        "eq" | "ne" => relation(name),
        "une" => Some(CompareOp::Ne),
        "oeq" | "olt" | "ole" | "ogt" | "oge" => name.get(1..).and_then(relation),
        _ if !float && name.starts_with(if signed { 's' } else { 'u' }) => name.get(1..).and_then(relation),
        _ => None,
    };
    let [a, b]: [Expr; 2] = operands.try_into().ok()?;
    Some(Expr::Compare(relation?, Box::new(a), Box::new(b)))
}

fn select(_: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    match operands {
        [cond, then, other] => Ok(if cond.is_zero() { *other } else { *then }),
        _ => Err("three operands are wanted".to_string()),
    }
}

/// The chosen operand is stored where it is present. Beside a literal zero the result is stored where the other operand
/// is. Beside another number no expression says the same.
fn select_expr(_: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    let [cond, then, other]: [Expr; 3] = operands.try_into().ok()?;
    let beside = match (&then, &other) {
        (Expr::Literal(literal), of) | (of, Expr::Literal(literal)) if literal.value.is_zero() => Some(of.clone()),
        (Expr::Literal(_), _) | (_, Expr::Literal(_)) => return None,
        _ => None,
    };
    let [cond, then, other] = [cond, then, other].map(Box::new);
    let chosen = Expr::Select { cond, then, other: Some(other) };
    Some(match beside {
        Some(of) => Expr::Present { of: Box::new(of), then: Some(Box::new(chosen)), other: None },
        None => chosen,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_comparison_of_integers_has_a_rule() {
        assert_eq!(RULES_OF_COMPARISONS.iter().map(|(name, _)| *name).collect::<Vec<_>>(), INTEGER_PREDICATES);
    }
}
