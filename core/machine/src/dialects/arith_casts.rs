//! `arith` at run time: constants, and conversions of numbers.

use super::arith::{no_expr, to_signed, to_unsigned, wrapped};
use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Function, Row, Rule, Signature, host, scalar},
    value::{Array, Sparse, Value},
};
use nnz_base::element::{Element, Scalar};
use nnz_kernel::{BinaryOp, Expr};
use nnz_loops::scalar as arithmetic;
use nnz_mlir::{attribute::Attribute, dialects::arith_casts::number, ir::Op, types::Type};
use nnz_storage as storage;

pub(super) static MEANINGS: &[Row] = &[
    host("arith.constant", constant),
    scalar("arith.extf", Rule::Zeros, CONVERT),
    scalar("arith.truncf", Rule::Zeros, CONVERT),
    scalar("arith.extsi", Rule::Zeros, Function { apply: |s, a| of_int(s, a, to_signed), expr: signed_cast }),
    scalar("arith.extui", Rule::Zeros, Function { apply: |s, a| of_int(s, a, to_unsigned), expr: unsigned_cast }),
    scalar("arith.trunci", Rule::Zeros, Function { apply: |s, a| of_int(s, a, to_signed), expr: truncated }),
    scalar("arith.sitofp", Rule::Zeros, Function { apply: |s, a| to_float(s, a, to_signed), expr: signed_cast }),
    scalar("arith.uitofp", Rule::Zeros, Function { apply: |s, a| to_float(s, a, to_unsigned), expr: unsigned_cast }),
    scalar("arith.fptosi", Rule::Zeros, Function { apply: |s, a| to_integer(s, a, true), expr: no_expr }),
    scalar("arith.fptoui", Rule::Zeros, Function { apply: |s, a| to_integer(s, a, false), expr: no_expr }),
    scalar("arith.index_cast", Rule::Zeros, Function { apply: |s, a| of_int(s, a, to_signed), expr: signed_cast }),
    scalar(
        "arith.index_castui",
        Rule::Zeros,
        Function { apply: |s, a| of_int(s, a, to_unsigned), expr: unsigned_cast },
    ),
    scalar("arith.bitcast", Rule::Zeros, BITCAST),
];

/// The same bits, read as another type of the same width.
const BITCAST: Function = Function { apply: bitcast, expr: no_expr };

const CONVERT: Function = Function { apply: |s, a| Ok(arithmetic::convert(s.to, one(a)?)), expr: cast_expr };

fn one(operands: &[Scalar]) -> Result<Scalar, String> {
    operands.first().copied().ok_or_else(|| "an operand is wanted".to_string())
}

fn cast_expr(signature: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    let [operand]: [Expr; 1] = operands.try_into().ok()?;
    Some(Expr::Cast(signature.to, Box::new(operand)))
}

/// Truncation to `i1` keeps the lowest bit, while a kernel's cast tests whether the number is zero.
fn truncated(signature: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    if signature.to != Element::I1 {
        return cast_expr(signature, operands);
    }
    let lowest = Box::new(Expr::literal(signature.from, Scalar::Int(1)));
    let masked = |operand| Expr::Binary(BinaryOp::And, Box::new(operand), lowest.clone());
    cast_expr(signature, operands.into_iter().map(masked).collect())
}

/// Kernels read an integer with the sign of its type. If the operation reads it otherwise, it is first cast to the type
/// of the other sign.
fn signed_cast(signature: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    use Element::{I1, I64, Index, U8, U16, U32, U64};
    if signature.to == I1 || matches!(signature.from, U8 | U16 | U32 | I1) {
        return None;
    }
    if matches!(signature.from, Index | U64) {
        return cast_by(I64, signature, operands);
    }
    cast_expr(signature, operands)
}

fn unsigned_cast(signature: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    use Element::{I1, I2, I4, I8, I16, I32, I64, U8, U16, U32, U64};
    if signature.to == I1 || matches!(signature.from, I2 | I4) {
        return None;
    }
    let unsigned = [(I8, U8), (I16, U16), (I32, U32), (I64, U64)].into_iter().find(|(from, _)| *from == signature.from);
    match unsigned {
        Some((_, by)) => cast_by(by, signature, operands),
        None => cast_expr(signature, operands),
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
    element.float_of_bits(bits).map_or_else(|| wrapped(element, bits.into()), Scalar::Float)
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
