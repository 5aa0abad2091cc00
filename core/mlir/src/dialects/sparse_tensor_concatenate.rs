//! `sparse_tensor.concatenate`

use super::sparse_tensor::dimension;
use crate::{
    constraints::{TENSOR, takes},
    draft::Draft,
    inherent::{INDEX, needs},
    ir::Operand,
    mistake::{Mistake, Read},
    read::{Entry, Reader},
};

pub(super) static OPS: &[Entry] =
    &[Entry::host("sparse_tensor.concatenate", takes(&[TENSOR.many()]).gives(&[TENSOR]), concatenate_syntax)
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
        let message = format!("`dimension` names one of the {rank} dimensions of the result, counted from 0");
        let last = format!("the last dimension is {}", rank.saturating_sub(1));
        return Err(draft.wrong("dimension", message).label(last));
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
