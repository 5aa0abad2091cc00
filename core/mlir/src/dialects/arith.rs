//! `arith`: numbers. Constants and conversions are in separate files.

use crate::{
    attribute::Attribute,
    constraints::{ANY, ELEMENTWISE, takes},
    dialects::math::unary_expr,
    inherent::{Kind, needs},
    operation::{Domain, OpDef, ScalarOp, Signature, all_alike, operands},
    read::{Draft, Form, Mistake, Read, Reader},
    types::Type,
};
use nnz_base::{
    diagnostic::did_you_mean,
    element::{Element, Scalar},
};
use nnz_kernel::{BinaryOp, CompareOp, Expr, UnaryOp};
use nnz_loops::{Binary, Unary, scalar as number};
use nnz_syntax::TokenKind;

/// A binary operation that kernels and the evaluator have by one name.
macro_rules! both {
    ($loops:ident, $kernel:ident) => {
        ScalarOp { apply: |s, a| binary(s, a, Binary::$loops), expr: |_, a| pair(a, BinaryOp::$kernel) }
    };
}

/// A function of two integers, which `$read` reads as signed or unsigned; `$expr` says it in a kernel.
macro_rules! integers {
    ($read:ident, $function:expr, $expr:expr) => {
        ScalarOp {
            apply: |s, values| {
                let [a, b] = two(values)?.map(|value| $read(s.to, value));
                let function: fn(i128, i128) -> Option<i128> = $function;
                function(a, b).map(|result| wrapped(s.to, result)).ok_or_else(|| "division by zero".to_string())
            },
            expr: $expr,
        }
    };
}

pub(super) static OPS: &[OpDef] = &[
    float("arith.addf", both!(Add, Add)),
    float("arith.subf", both!(Sub, Sub)),
    float("arith.mulf", both!(Mul, Mul)),
    float("arith.divf", both!(Div, Div)),
    float("arith.remf", both!(Rem, Rem)),
    float("arith.maximumf", both!(Max, Max)),
    float("arith.minimumf", both!(Min, Min)),
    float("arith.maxnumf", ScalarOp { apply: |s, a| number_or(s, a, Binary::Max), expr: no_expr }),
    float("arith.minnumf", ScalarOp { apply: |s, a| number_or(s, a, Binary::Min), expr: no_expr }),
    OpDef::scalar("arith.negf", takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::same, NEGATE).verified(one_float),
    integer("arith.addi", both!(Add, Add)),
    integer("arith.subi", both!(Sub, Sub)),
    integer("arith.muli", both!(Mul, Mul)),
    integer("arith.andi", both!(BitAnd, And)),
    integer("arith.ori", both!(BitOr, Or)),
    integer("arith.xori", both!(BitXor, Xor)),
    integer("arith.maxsi", integers!(to_signed, |a, b| Some(a.max(b)), |s, a| of_signed(s, a, BinaryOp::Max))),
    integer("arith.minsi", integers!(to_signed, |a, b| Some(a.min(b)), |s, a| of_signed(s, a, BinaryOp::Min))),
    integer("arith.maxui", integers!(to_unsigned, |a, b| Some(a.max(b)), no_expr)),
    integer("arith.minui", integers!(to_unsigned, |a, b| Some(a.min(b)), no_expr)),
    integer("arith.divsi", integers!(to_signed, |a, b| a.checked_div(b), no_expr)),
    integer("arith.divui", integers!(to_unsigned, |a, b| a.checked_div(b), no_expr)),
    integer("arith.remsi", integers!(to_signed, |a, b| a.checked_rem(b), no_expr)),
    integer("arith.remui", integers!(to_unsigned, |a, b| a.checked_rem(b), no_expr)),
    integer("arith.floordivsi", integers!(to_signed, floor_div, no_expr)),
    integer("arith.ceildivsi", integers!(to_signed, ceil_div, no_expr)),
    integer("arith.ceildivui", integers!(to_unsigned, ceil_div, no_expr)),
    integer("arith.shli", integers!(to_unsigned, |a, b| Some(shifted(a, b, |a, by| a << by)), no_expr)),
    integer("arith.shrui", integers!(to_unsigned, |a, b| Some(shifted(a, b, |a, by| a >> by)), no_expr)),
    integer("arith.shrsi", integers!(to_signed, |a, b| Some(shifted(a, b, |a, by| a >> by)), no_expr)),
    OpDef::scalar(
        "arith.cmpf",
        takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]),
        compare_syntax,
        ScalarOp { apply: compare_floats, expr: compare_expr },
    )
    .having(&[needs("predicate", Kind::Number(Element::I64, 0, FLOAT_PREDICATES.len() as i128 - 1))])
    .verified(two_floats_compared),
    OpDef::scalar(
        "arith.cmpi",
        takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]),
        compare_syntax,
        ScalarOp { apply: compare_integers, expr: compare_expr },
    )
    .having(&[needs("predicate", Kind::Number(Element::I64, 0, INTEGER_PREDICATES.len() as i128 - 1))])
    .verified(two_integers_compared),
    OpDef::scalar(
        "arith.select",
        takes(&[ELEMENTWISE, ANY, ANY]).gives(&[ANY]),
        select_syntax,
        ScalarOp { apply: select, expr: select_expr },
    )
    .verified(condition),
];

const fn float(name: &'static str, meaning: ScalarOp) -> OpDef {
    OpDef::scalar(name, takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::same, meaning)
        .verified(two_floats)
}
const fn integer(name: &'static str, meaning: ScalarOp) -> OpDef {
    OpDef::scalar(name, takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::same, meaning)
        .verified(two_integers)
}

fn two_floats(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Float)?;
    all_alike(draft)
}
fn two_integers(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Integer)?;
    all_alike(draft)
}
fn one_float(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Float)?;
    all_alike(draft)
}
fn two_floats_compared(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Float)?;
    says_whether(draft)
}
fn two_integers_compared(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Integer)?;
    says_whether(draft)
}
/// Two operands of one type, and a bit for each of their elements.
fn says_whether(draft: &Draft) -> Result<(), Mistake> {
    let (one, other, result) = (draft.operand(0)?, draft.operand(1)?, draft.result()?);
    if one.ty.is_broken() || other.ty.is_broken() || result.is_broken() {
        return Ok(());
    }
    if one.ty != other.ty {
        return Err(Mistake::types(other.span, format!("this is `{}`, the first operand `{}`", other.ty, one.ty)));
    }
    match one.ty.with_element(Element::I1) {
        wanted if wanted == *result => Ok(()),
        wanted => Err(draft.wrong_result(format!("the result is `{wanted}`, not `{result}`"))),
    }
}

/// Has no counterpart in kernels.
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

const NEGATE: ScalarOp = ScalarOp {
    apply: |s, a| Ok(number::unary(Unary::Neg, s.to, a.first().copied().unwrap_or(s.to.zero()))),
    expr: |_, a| unary_expr(a, UnaryOp::Neg),
};

/// The other operand where one is NaN.
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

/// By more than the bits of any type there is nothing left.
fn shifted(a: i128, by: i128, shift: fn(i128, u32) -> i128) -> i128 {
    match u32::try_from(by) {
        Ok(by) if by < 64 => shift(a, by),
        _ => 0,
    }
}

// Comparisons: `arith.cmpf olt, %a, %b : f64`.

fn compare_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let span = r.span();
    let predicate = match r.peek() {
        TokenKind::String => r.string()?,
        _ => r.word_of(TokenKind::Ident, "a predicate")?.to_string(),
    };
    let known: &[&str] = if draft.name() == "arith.cmpf" { FLOAT_PREDICATES } else { INTEGER_PREDICATES };
    let Some(number) = known.iter().position(|name| *name == predicate) else {
        let message = format!("`{predicate}` is not a predicate of `{}`", draft.name());
        let mistake = Mistake::syntax(span, message).label("not a predicate");
        return Err(match did_you_mean(&predicate, known.iter().copied()) {
            Some(near) => mistake.guess(span, near),
            None => mistake,
        }
        .help(format!("there are {}", nnz_check::list_of(known))));
    };
    r.expect(TokenKind::Comma)?;
    draft.attributes.set("predicate", Attribute::Number(Scalar::Int(number as i128), None));
    Form::same(r, draft)?;
    draft.results.iter_mut().for_each(|ty| *ty = ty.with_element(Element::I1));
    Ok(())
}

/// In the order of MLIR's numbers.
const FLOAT_PREDICATES: &[&str] = &[
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
];
const INTEGER_PREDICATES: &[&str] = &["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];

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

// `arith.select %c, %a, %b : f64`

fn select_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let uses = r.value_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let first = r.colon_type()?;
    let (cond, ty) = if r.eat(TokenKind::Comma) { (first, r.ty()?) } else { (Type::I1, first) };
    draft.operands = r.resolve_all(&uses, &[cond, ty.clone(), ty.clone()])?;
    draft.results = vec![ty];
    Ok(())
}

fn condition(draft: &Draft) -> Result<(), Mistake> {
    match draft.operand(0)? {
        operand if operand.ty.element() != Some(Element::I1) && !operand.ty.is_broken() => {
            Err(Mistake::types(operand.span, format!("a condition is `i1`, and this is `{}`", operand.ty)))
        }
        _ => draft.operand(2).map(|_| ()),
    }
}

fn select(_: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    match operands {
        [cond, then, other] => Ok(if cond.is_zero() { *other } else { *then }),
        _ => Err("three operands are wanted".to_string()),
    }
}

/// What is chosen is stored where it is there. Beside a zero that is written it is stored where the other operand
/// is; beside another number expressions do not say it.
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
