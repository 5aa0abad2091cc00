//! `arith`: constants, and conversions of numbers.

use super::arith::{no_expr, to_signed, to_unsigned, wrapped};
use crate::{
    attribute::Attribute,
    constraints::{ELEMENTWISE, takes},
    inherent::{self, needs},
    ir::Op,
    machine::{Fault, Frame, Machine},
    operation::{Domain, OpDef, ScalarOp, Signature, operands},
    read::{Draft, Form, Mistake, Read, Reader},
    types::Type,
    value::{Array, Sparse, Value},
};
use nnz_base::element::{Element, Scalar};
use nnz_kernel::{BinaryOp, Expr};
use nnz_loops::scalar as arithmetic;
use nnz_storage as storage;

pub(super) static OPS: &[OpDef] = &[
    OpDef::host("arith.constant", takes(&[]).gives(&[ELEMENTWISE]), constant_syntax, constant)
        .having(&[needs("value", inherent::Kind::Any)])
        .verified(constant_type),
    cast("arith.extf", wider_float, CONVERT),
    cast("arith.truncf", narrower_float, CONVERT),
    cast("arith.extsi", wider_integer, ScalarOp { apply: |s, a| of_int(s, a, to_signed), expr: signed_cast }),
    cast("arith.extui", wider_integer, ScalarOp { apply: |s, a| of_int(s, a, to_unsigned), expr: unsigned_cast }),
    cast("arith.trunci", narrower_integer, ScalarOp { apply: |s, a| of_int(s, a, to_signed), expr: truncated }),
    cast("arith.sitofp", to_floats, ScalarOp { apply: |s, a| to_float(s, a, to_signed), expr: signed_cast }),
    cast("arith.uitofp", to_floats, ScalarOp { apply: |s, a| to_float(s, a, to_unsigned), expr: unsigned_cast }),
    cast("arith.fptosi", to_integers, ScalarOp { apply: |s, a| to_integer(s, a, true), expr: no_expr }),
    cast("arith.fptoui", to_integers, ScalarOp { apply: |s, a| to_integer(s, a, false), expr: no_expr }),
    cast("arith.index_cast", to_or_from_index, ScalarOp { apply: |s, a| of_int(s, a, to_signed), expr: signed_cast }),
    cast(
        "arith.index_castui",
        to_or_from_index,
        ScalarOp { apply: |s, a| of_int(s, a, to_unsigned), expr: unsigned_cast },
    ),
    cast("arith.bitcast", same_width, BITCAST),
];

const fn cast(name: &'static str, verify: fn(&Draft) -> Result<(), Mistake>, meaning: ScalarOp) -> OpDef {
    OpDef::scalar(name, takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::cast, meaning).verified(verify)
}

/// What a conversion makes of what.
struct Rule {
    from: Kind,
    to: Kind,
    /// How the widths stand to each other, and in words.
    widths: fn(u32, u32) -> bool,
    wanted: &'static str,
}

/// What the elements of a conversion are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Float,
    /// Integers, and not `index`.
    Integer,
    Index,
    Number,
}

impl Kind {
    fn holds(self, element: Element) -> bool {
        let index = element == Element::Index;
        match self {
            Kind::Float => element.is_float(),
            Kind::Integer => element.is_integer() && !index,
            Kind::Index => index,
            Kind::Number => !element.is_complex() && !index,
        }
    }
    fn words(self) -> &'static str {
        match self {
            Kind::Float => "a floating-point type",
            Kind::Integer => "an integer type",
            Kind::Index => "`index`",
            Kind::Number => "an integer or floating-point type",
        }
    }
}

const ANY: fn(u32, u32) -> bool = |_, _| true;

fn wider_float(draft: &Draft) -> Result<(), Mistake> {
    conversion(draft, &Rule { from: Kind::Float, to: Kind::Float, widths: |from, to| from < to, wanted: "wider" })
}
fn narrower_float(draft: &Draft) -> Result<(), Mistake> {
    conversion(draft, &Rule { from: Kind::Float, to: Kind::Float, widths: |from, to| from > to, wanted: "narrower" })
}
fn wider_integer(draft: &Draft) -> Result<(), Mistake> {
    conversion(draft, &Rule { from: Kind::Integer, to: Kind::Integer, widths: |from, to| from < to, wanted: "wider" })
}
fn narrower_integer(draft: &Draft) -> Result<(), Mistake> {
    let widths = |from, to| from > to;
    conversion(draft, &Rule { from: Kind::Integer, to: Kind::Integer, widths, wanted: "narrower" })
}
fn to_floats(draft: &Draft) -> Result<(), Mistake> {
    conversion(draft, &Rule { from: Kind::Integer, to: Kind::Float, widths: ANY, wanted: "" })
}
fn to_integers(draft: &Draft) -> Result<(), Mistake> {
    conversion(draft, &Rule { from: Kind::Float, to: Kind::Integer, widths: ANY, wanted: "" })
}
fn to_or_from_index(draft: &Draft) -> Result<(), Mistake> {
    let index = draft.operand(0)?.ty.element() == Some(Element::Index);
    let [from, to] = if index { [Kind::Index, Kind::Integer] } else { [Kind::Integer, Kind::Index] };
    conversion(draft, &Rule { from, to, widths: ANY, wanted: "" })
}
fn same_width(draft: &Draft) -> Result<(), Mistake> {
    let widths = |from, to| from == to;
    conversion(draft, &Rule { from: Kind::Number, to: Kind::Number, widths, wanted: "of the same width" })
}

fn conversion(draft: &Draft, rule: &Rule) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Any)?;
    let (given, to) = (draft.operand(0)?, draft.result()?);
    let (Some(from), Some(into)) = (given.ty.element(), to.element()) else { return Ok(()) };
    let name = draft.name();
    if !rule.from.holds(from) {
        let message = format!("`{name}` takes {}, not `{}`", rule.from.words(), given.ty);
        return Err(Mistake::types(given.span, message));
    }
    if !rule.to.holds(into) {
        let message = format!("`{name}` makes {}, not `{to}`", rule.to.words());
        return Err(draft.wrong_result(message).label(format!("not {}", rule.to.words())));
    }
    if given.ty.with_element(into) != *to {
        let message = format!("`{name}` keeps the shape of `{}`, and this is `{to}`", given.ty);
        return Err(draft.wrong_result(message).label("another shape"));
    }
    if !(rule.widths)(width(from), width(into)) {
        let message = format!("`{name}` makes a type {} of `{from}`, not `{into}`", rule.wanted);
        return Err(draft.wrong_result(message).label(format!("not {}", rule.wanted)));
    }
    Ok(())
}

/// The same bits, read as another type of as many.
const BITCAST: ScalarOp = ScalarOp { apply: bitcast, expr: no_expr };

const CONVERT: ScalarOp = ScalarOp { apply: |s, a| Ok(arithmetic::convert(s.to, one(a)?)), expr: cast_expr };

fn one(operands: &[Scalar]) -> Result<Scalar, String> {
    operands.first().copied().ok_or_else(|| "an operand is wanted".to_string())
}

fn cast_expr(signature: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    let [operand]: [Expr; 1] = operands.try_into().ok()?;
    Some(Expr::Cast(signature.to, Box::new(operand)))
}

/// Of `i1` the lowest bit is what is kept, where a kernel's cast asks whether the number is zero.
fn truncated(signature: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    if signature.to != Element::I1 {
        return cast_expr(signature, operands);
    }
    let lowest = Box::new(Expr::literal(signature.from, Scalar::Int(1)));
    let masked = |operand| Expr::Binary(BinaryOp::And, Box::new(operand), lowest.clone());
    cast_expr(signature, operands.into_iter().map(masked).collect())
}

/// Kernels read an integer as its type's sign says, so that it is read as another type first where the
/// operation says otherwise.
fn signed_cast(signature: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    match signature.from {
        _ if signature.to == Element::I1 => None,
        Element::Index | Element::U64 => cast_by(Element::I64, signature, operands),
        Element::U8 | Element::U16 | Element::U32 | Element::I1 => None,
        _ => cast_expr(signature, operands),
    }
}
fn unsigned_cast(signature: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    match signature.from {
        _ if signature.to == Element::I1 => None,
        Element::I8 => cast_by(Element::U8, signature, operands),
        Element::I16 => cast_by(Element::U16, signature, operands),
        Element::I32 => cast_by(Element::U32, signature, operands),
        Element::I64 => cast_by(Element::U64, signature, operands),
        Element::I2 | Element::I4 => None,
        _ => cast_expr(signature, operands),
    }
}
fn cast_by(first: Element, signature: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    let operands = operands.into_iter().map(|operand| Expr::Cast(first, Box::new(operand))).collect();
    cast_expr(signature, operands)
}

type ReadInteger = fn(Element, Scalar) -> i128;

fn of_int(signature: &Signature<'_>, operands: &[Scalar], read: ReadInteger) -> Result<Scalar, String> {
    Ok(wrapped(signature.to, read(signature.from, one(operands)?)))
}
fn to_float(signature: &Signature<'_>, operands: &[Scalar], read: ReadInteger) -> Result<Scalar, String> {
    Ok(arithmetic::convert(signature.to, Scalar::Int(read(signature.from, one(operands)?))))
}

/// Towards zero; beyond the range it saturates, where the processor's own result is not defined.
fn to_integer(signature: &Signature<'_>, operands: &[Scalar], signed: bool) -> Result<Scalar, String> {
    let (low, high) = signature.to.int_range().unwrap_or((0, 0));
    let size = high - low + 1;
    let (low, high) = if signed { (-size / 2, size / 2 - 1) } else { (0, size - 1) };
    Ok(wrapped(signature.to, (one(operands)?.as_f64() as i128).clamp(low, high)))
}

fn bitcast(signature: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    Ok(of_bits(signature.to, bits(signature.from, one(operands)?)))
}

/// The number of bits of a number; not for complex ones.
pub(super) fn width(element: Element) -> u32 {
    match element.int_range() {
        Some((low, high)) => (high - low + 1).ilog2(),
        None => 8 * element.bytes() as u32,
    }
}

/// A number's bits, the lowest first.
pub(super) fn bits(element: Element, value: Scalar) -> u64 {
    match (element, value) {
        (Element::F64, Scalar::Float(x)) => x.to_bits(),
        (Element::F32, Scalar::Float(x)) => u64::from((x as f32).to_bits()),
        (Element::F16, Scalar::Float(x)) => u64::from(nnz_base::element::to_f16(x).to_bits()),
        (Element::BF16, Scalar::Float(x)) => u64::from(nnz_base::element::to_bf16(x).to_bits()),
        (element, value) => to_unsigned(element, value) as u64,
    }
}

/// The number that bits are.
pub(super) fn of_bits(element: Element, bits: u64) -> Scalar {
    match element {
        Element::F64 => Scalar::Float(f64::from_bits(bits)),
        Element::F32 => Scalar::Float(f32::from_bits(bits as u32).into()),
        Element::F16 => Scalar::Float(half::f16::from_bits(bits as u16).into()),
        Element::BF16 => Scalar::Float(half::bf16::from_bits(bits as u16).into()),
        element => wrapped(element, bits.into()),
    }
}

// `arith.constant 1.0 : f64`, `arith.constant dense<...> : tensor<...>`

fn constant_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    draft.attributes = r.optional_dictionary()?;
    let value = r.attribute()?;
    draft.results = vec![type_of(&value, draft)?];
    draft.attributes.set("value", value);
    Ok(())
}

fn type_of(value: &Attribute, draft: &Draft) -> Read<Type> {
    match value {
        Attribute::Bool(_) => Ok(Type::I1),
        Attribute::Number(_, Some(ty)) => Ok(ty.clone()),
        Attribute::Number(Scalar::Float(_), None) => Ok(Type::Scalar(Element::F64)),
        Attribute::Number(_, None) => Ok(Type::Scalar(Element::I64)),
        Attribute::Dense(literal) => Ok(literal.ty.clone()),
        Attribute::Sparse(literal) => Ok(literal.ty.clone()),
        _ => Err(draft.mistake("a constant is a number, `dense<...>` or `sparse<...>`")),
    }
}

fn constant_type(draft: &Draft) -> Result<(), Mistake> {
    let value = draft.attribute("value").ok_or_else(|| draft.mistake("the constant has no value"))?;
    let (found, result) = (type_of(value, draft)?, draft.result()?);
    of_kind(value, &found, draft)?;
    if found == *result || result.is_broken() || found.is_broken() {
        return Ok(());
    }
    Err(draft.wrong_result(format!("the constant is `{found}`, its result `{result}`")))
}

/// A number is of a type of numbers, a list of a tensor's or a vector's.
fn of_kind(value: &Attribute, ty: &Type, draft: &Draft) -> Result<(), Mistake> {
    let one = matches!(value, Attribute::Number(..));
    let fits = matches!(value, Attribute::Bool(_)) || one == ty.scalar().is_some();
    match ty.scalar().or(ty.element()) {
        Some(Element::U8 | Element::U16 | Element::U32 | Element::U64) if one => {
            let message = format!("a constant's integers are signless, and `{ty}` is not");
            Err(draft.mistake(message).help("`255 : i8` has the same bits"))
        }
        _ if fits || ty.is_broken() => Ok(()),
        _ if one => Err(draft.mistake(format!("one number is no `{ty}`")).help("`dense<...>` is one for every entry")),
        _ => {
            Err(draft.mistake(format!("`dense<...>` and `sparse<...>` are tensors or vectors, and `{ty}` is neither")))
        }
    }
}

/// The constant, if it is a number.
pub(super) fn number(op: &Op) -> Option<Scalar> {
    match op.attribute("value")? {
        Attribute::Bool(truth) => Some(Scalar::Int((*truth).into())),
        Attribute::Number(scalar, _) => Some(*scalar),
        _ => None,
    }
}

fn constant(_: &mut Machine<'_>, _: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    if let Some(scalar) = number(op) {
        return Ok(vec![Value::Scalar(scalar)]);
    }
    let value = match op.attribute("value") {
        Some(Attribute::Dense(literal)) => {
            let element = literal.ty.element().unwrap_or(Element::F64);
            let array = Array { element, shape: literal.shape.clone(), values: literal.values.clone() };
            stored(array, &literal.ty)?
        }
        Some(Attribute::Sparse(literal)) => match literal.ty.sparse().and_then(|tensor| tensor.encoding.as_ref()) {
            Some(encoding) => Value::Sparse(Sparse::packed((*literal.entries).clone(), encoding)?),
            None => Value::Entries(literal.entries.clone()),
        },
        _ => return Err(Fault::new("the constant has no value")),
    };
    Ok(vec![value])
}

/// A dense literal may have a type with an encoding.
fn stored(array: Array, ty: &Type) -> Result<Value, Fault> {
    match ty.sparse().and_then(|tensor| tensor.encoding.as_ref()) {
        Some(encoding) => {
            let entries = storage::from_dense(&array.shape, array.element, &array.values)?;
            Ok(Value::Sparse(Sparse::packed(entries, encoding)?))
        }
        None => Ok(Value::Array(array)),
    }
}
