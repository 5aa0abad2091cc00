//! `sparse_tensor.concatenate`

use super::sparse_tensor::{converted, dimension, triplets};
use crate::{
    budget,
    constraints::{TENSOR, takes},
    inherent::{INDEX, needs},
    ir::{Op, Operand},
    machine::{Fault, Frame, Machine},
    operation::OpDef,
    read::{Draft, Mistake, Read, Reader},
    types::Type,
    value::{Array, Value},
};
use nnz_base::arrays::Values;
use nnz_check::TensorType;
use nnz_storage::{self as storage, Triplets};

pub(super) static OPS: &[OpDef] = &[OpDef::host(
    "sparse_tensor.concatenate",
    takes(&[TENSOR.many()]).gives(&[TENSOR]),
    concatenate_syntax,
    concatenate,
)
.having(&[needs("dimension", INDEX)])
.verified(concatenate_types)];

/// `%a, %b {dimension = 0 : index} : T, T to U`
fn concatenate_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let uses = r.value_uses()?;
    draft.attributes = r.optional_dictionary()?;
    let types = r.colon_types()?;
    r.expect_word("to")?;
    draft.results = vec![r.ty()?];
    draft.operands = r.resolve_all(&uses, &types)?;
    Ok(())
}

fn concatenate_types(draft: &Draft) -> Result<(), Mistake> {
    let result = draft.result()?;
    let Some(into) = result.tensor() else {
        return if result.is_broken() {
            Ok(())
        } else {
            Err(draft.mistake(format!("`{result}` is not a ranked tensor")))
        };
    };
    if draft.operands.len() < 2 {
        return Err(draft.mistake("two tensors at least are concatenated").help("`sparse_tensor.convert` copies one"));
    }
    let rank = into.shape.len();
    let Some(dim) = dimension(draft.attribute("dimension")).filter(|dim| *dim < rank) else {
        return Err(draft.wrong("dimension", format!("`dimension` names one of the {rank} dimensions of the result")));
    };
    let mut sum = 0u64;
    for operand in draft.operands.iter().filter(|operand| !operand.ty.is_broken()) {
        let sizes = part_sizes(operand, rank)?;
        other_sizes(operand, &sizes, &into.shape, dim)?;
        sum = sum.saturating_add(sizes.get(dim).copied().unwrap_or(0));
    }
    let broken = draft.operands.iter().any(|operand| operand.ty.is_broken());
    match into.shape.get(dim).copied().flatten() {
        Some(size) if size != sum && !broken => {
            Err(draft.mistake(format!("the tensors have {sum} in dimension {dim} together, and the result has {size}")))
        }
        _ => Ok(()),
    }
}

/// The sizes of a tensor to concatenate, which its type states.
fn part_sizes(operand: &Operand, rank: usize) -> Result<Vec<u64>, Mistake> {
    let shape = operand.ty.tensor().map(|tensor| &tensor.shape);
    let Some(shape) = shape.filter(|shape| shape.len() == rank) else {
        let message = format!("a tensor of {rank} dimensions is wanted here, as the result is, not `{}`", operand.ty);
        return Err(Mistake::types(operand.span, message));
    };
    shape.iter().copied().collect::<Option<_>>().ok_or_else(|| {
        let message = "the size of a tensor to concatenate is stated in its type";
        Mistake::types(operand.span, message).help("`tensor.cast` states a size, which is checked when it runs")
    })
}

/// Beside the dimension of concatenation all have the sizes of the result.
fn other_sizes(operand: &Operand, sizes: &[u64], into: &[Option<u64>], dim: usize) -> Result<(), Mistake> {
    let differs = |(at, (size, wanted)): (usize, (&u64, &Option<u64>))| {
        (at != dim && wanted.is_some_and(|wanted| wanted != *size)).then_some((at, *size, wanted.unwrap_or(0)))
    };
    match sizes.iter().zip(into).enumerate().find_map(differs) {
        Some((at, size, wanted)) => {
            let message = format!("dimension {at} has size {size}, and the result's has {wanted}");
            Err(Mistake::types(operand.span, message).help(format!("only dimension {dim} grows")))
        }
        None => Ok(()),
    }
}

/// Arrays of one element type as one array, without coordinates on the way.
fn dense(parts: &[Value], to: &TensorType, dim: usize) -> Result<Option<Value>, Fault> {
    let mut arrays: Vec<&Array> = Vec::new();
    for part in parts {
        match part {
            Value::Array(array) if to.encoding.is_none() && array.element == to.element => arrays.push(array),
            _ => return Ok(None),
        }
    }
    let mut shape = arrays.first().map(|array| array.shape.clone()).unwrap_or_default();
    let others = |array: &&Array| array.shape.iter().zip(&shape).enumerate().any(|(at, (a, b))| at != dim && a != b);
    if arrays.iter().any(others) || dim >= shape.len() {
        return Ok(None);
    }
    let along = |array: &Array| array.shape.get(dim).copied().unwrap_or(0);
    shape[dim] = arrays.iter().map(|array| along(array)).fold(0, u64::saturating_add);
    let mut values = Values::with_capacity(to.element, budget::room(&shape, to.element)?);
    let outer: usize = shape.iter().take(dim).product::<u64>() as usize;
    for at in 0..outer {
        for array in &arrays {
            let length = array.values.len() / outer;
            (at * length..(at + 1) * length).filter_map(|at| array.values.get(at)).for_each(|value| values.push(value));
        }
    }
    Ok(Some(Value::Array(Array { element: to.element, shape, values: values.into() })))
}

pub(super) fn concatenate(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    // `tensor.concat` has it under a shorter name.
    let dim = dimension(op.attribute("dimension").or(op.attribute("dim"))).unwrap_or(0);
    let to = op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))?;
    let parts = frame.all(&op.operands)?;
    if let Some(whole) = dense(&parts, to, dim)? {
        return Ok(vec![whole]);
    }
    let mut shape = parts.first().map(Value::sizes).unwrap_or_default();
    let mut coords = vec![Vec::new(); shape.len()];
    let mut values = Values::with_capacity(to.element, 0);
    let mut reached = 0u64;
    for part in &parts {
        // As in MLIR, zeros that a part stores do not get into the whole.
        let triplets = triplets(part)?.without_zeros();
        // The entries, what they are added to while that grows, and what they are stored as.
        let bytes = 3 * 8 * (triplets.rank() as u64 + 2);
        budget::room_for((values.len() + triplets.len()) as u64 * bytes, || "the concatenated entries".to_string())?;
        let others = |(at, (size, whole)): (usize, (&u64, &u64))| at != dim && size != whole;
        if triplets.shape().iter().zip(&shape).enumerate().any(others) {
            return Err(Fault::new("the tensors differ in a dimension other than that of concatenation"));
        }
        for (at, column) in triplets.coords().iter().enumerate() {
            coords[at].extend(column.iter().map(|c| if at == dim { c + reached } else { *c }));
        }
        triplets.values().iter().for_each(|value| values.push(value));
        reached = reached.saturating_add(triplets.shape().get(dim).copied().unwrap_or(0));
    }
    if let Some(size) = shape.get_mut(dim) {
        *size = reached;
    }
    let whole = Triplets::new(shape, to.element, coords, values).map_err(storage::StorageError::from)?;
    Ok(vec![converted(Value::Entries(whole.into()), to)?])
}
