//! Functions of scalars, of vectors and tensors element by element.

use std::borrow::Cow;

use super::{Fault, Frame, signature};
use crate::{
    budget::Budget,
    meaning::{ApplyParts, ScalarOp},
    value::{Array, Value},
};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};
use nnz_mlir::{ir::Op, types::Type};

/// The value that `arith.select` chooses as a whole, whatever it is: a condition for each entry chooses none.
fn chosen<'f>(frame: &'f Frame<'_>, op: &Op) -> Result<Option<&'f Value>, Fault> {
    let ([condition, then, other], true) = (&op.operands[..], op.def.name == "arith.select") else { return Ok(None) };
    let Value::Scalar(holds) = frame.get(condition.value)? else { return Ok(None) };
    frame.get(if holds.is_zero() { other.value } else { then.value }).map(Some)
}

/// The most operands of a function that [`of_numbers`] takes.
const FEW: usize = 4;

/// A function of a few numbers, as in the bodies of long loops: without arrays for its operands. `None` of anything else.
pub(super) fn of_numbers(frame: &Frame<'_>, (op, meaning): (&Op, ScalarOp)) -> Result<Option<Scalar>, Fault> {
    let mut numbers = [Scalar::Int(0); FEW];
    let Some(numbers) = numbers.get_mut(..op.operands.len()) else { return Ok(None) };
    for (number, operand) in numbers.iter_mut().zip(&op.operands) {
        let Value::Scalar(value) = frame.get(operand.value)? else { return Ok(None) };
        *number = *value;
    }
    (meaning.apply)(&signature(op), numbers).map(Some).map_err(Fault::new)
}

/// A function with one result.
pub(super) fn one(budget: &Budget, frame: &Frame<'_>, (op, meaning): (&Op, ScalarOp)) -> Result<Value, Fault> {
    if let Some(chosen) = chosen(frame, op)? {
        return Ok(chosen.clone());
    }
    let signature = signature(op);
    let operands = Operands::of(frame, op)?;
    let Some(shape) = operands.shape.clone() else {
        return (meaning.apply)(&signature, &operands.at(0)?).map(Value::Scalar).map_err(Fault::new);
    };
    let count = budget.room(&shape, signature.to)?;
    let mut values = Values::with_capacity(signature.to, count);
    for at in 0..count {
        values.push((meaning.apply)(&signature, &operands.at(at)?).map_err(Fault::new)?);
    }
    Ok(Value::Array(Array { element: signature.to, shape, values: values.into() }))
}

/// A function whose result has several parts.
pub(super) fn parts(budget: &Budget, frame: &Frame<'_>, (op, apply): (&Op, ApplyParts)) -> Result<Vec<Value>, Fault> {
    let signature = signature(op);
    let operands = Operands::of(frame, op)?;
    let at = |at: usize| apply(&signature, &operands.at(at)?).map_err(Fault::new);
    let Some(shape) = operands.shape.clone() else {
        return Ok(at(0)?.map(Value::Scalar).into());
    };
    let elements = [0, 1].map(|part| op.result_types.get(part).and_then(Type::element).unwrap_or(signature.to));
    let count = budget.room(&shape, elements[0])?;
    let mut columns = elements.map(|element| Values::with_capacity(element, count));
    for entry in 0..count {
        columns.iter_mut().zip(at(entry)?).for_each(|(column, value)| column.push(value));
    }
    let array = |(element, values): (Element, Values)| {
        Value::Array(Array { element, shape: shape.clone(), values: values.into() })
    };
    Ok(elements.into_iter().zip(columns).map(array).collect())
}

/// The operands of a function of scalars.
struct Operands<'v> {
    entries: Vec<Entries<'v>>,
    /// That of the containers among them.
    shape: Option<Vec<u64>>,
}

/// An operand: one for each entry, or the same for all.
enum Entries<'v> {
    Same(Scalar),
    Each(Cow<'v, Array>),
}

impl<'v> Operands<'v> {
    fn of(frame: &'v Frame<'_>, op: &Op) -> Result<Operands<'v>, Fault> {
        let (mut entries, mut shape) = (Vec::with_capacity(op.operands.len()), None);
        for operand in &op.operands {
            let value = frame.get(operand.value)?;
            if let Value::Scalar(scalar) = value {
                entries.push(Entries::Same(*scalar));
                continue;
            }
            let array = value.array()?;
            shape = Some(array.shape.clone());
            entries.push(Entries::Each(array));
        }
        Ok(Operands { entries, shape })
    }

    fn at(&self, at: usize) -> Result<Vec<Scalar>, Fault> {
        self.entries.iter().map(|entries| entries.get(at)).collect()
    }
}

impl Entries<'_> {
    fn get(&self, at: usize) -> Result<Scalar, Fault> {
        match self {
            Entries::Same(scalar) => Ok(*scalar),
            Entries::Each(array) => array.values.get(at).ok_or_else(|| Fault::new("arrays of different lengths")),
        }
    }
}
