//! `tensor` at run time: extraction and insertion of parts of tensors.

use super::tensor_shapes::{known_sizes, numbers, rebuilt, result};
use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Step, Value, advance, by, entries},
};
use nnz_mlir::{
    dialects::tensor_parts::{kept_dims, reaches_beyond},
    ir::Op,
    types::Type,
};

pub(super) static MEANINGS: &[Row] =
    &[host("tensor.extract_slice", extract_slice), host("tensor.insert_slice", insert_slice)];

/// The part of a tensor that an operation means: offset, size and stride of each dimension.
pub(super) struct Part {
    pub(super) offsets: Vec<u64>,
    pub(super) sizes: Vec<u64>,
    pub(super) strides: Vec<i64>,
}

impl Part {
    /// The groups of operands behind `first` leave offsets, sizes and strides open.
    pub(super) fn of(frame: &Frame<'_>, op: &Op, first: usize) -> Result<Part, Fault> {
        let open = |at: usize| frame.numbers(op.group(first + at));
        Ok(Part {
            offsets: numbers(op, "static_offsets", open(0)?),
            sizes: numbers(op, "static_sizes", open(1)?),
            strides: numbers(op, "static_strides", open(2)?).into_iter().map(u64::cast_signed).collect(),
        })
    }

    pub(super) fn check(&self, whole: &[u64]) -> Result<(), Fault> {
        if [self.offsets.len(), self.sizes.len(), self.strides.len()] != [whole.len(); 3] {
            return Err(Fault::new(format!("a part of a tensor of {} dimensions names as many", whole.len())));
        }
        for (dim, size) in whole.iter().enumerate() {
            let [offset, count] = [self.offsets[dim], self.sizes[dim]].map(u64::cast_signed);
            if count < 0 {
                return Err(Fault::new(format!("a part of {count} entries in dimension {dim}: a size is 0 or more")));
            }
            if reaches_beyond(*size, [offset, count, self.strides[dim]]).is_some() {
                let message = format!("the part reaches beyond dimension {dim}, which has size {size}");
                return Err(Fault::new(message));
            }
        }
        Ok(())
    }

    /// Where a coordinate of the whole stands in the part.
    fn inside(&self, at: &[u64]) -> Option<Vec<u64>> {
        let dims = at.iter().zip(&self.offsets).zip(self.strides.iter().zip(&self.sizes));
        dims.map(|((at, offset), (stride, size))| {
            let (past, stride) = (i128::from(*at) - i128::from(*offset), i128::from(*stride));
            let steps = if past % stride == 0 { u64::try_from(past / stride).ok()? } else { return None };
            (steps < *size).then_some(steps)
        })
        .collect()
    }

    /// Where a coordinate of the part stands in the whole.
    fn outside(&self, at: &[u64]) -> Vec<u64> {
        let dims = at.iter().zip(&self.offsets).zip(&self.strides);
        dims.map(|((at, offset), stride)| offset.wrapping_add(at.wrapping_mul(stride.cast_unsigned()))).collect()
    }
}

fn extract_slice(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    let part = Part::of(frame, op, 1)?;
    part.check(&source.sizes())?;
    if part.strides.contains(&0) {
        return Err(Fault::new("nnz takes no part of a tensor with stride 0"));
    }
    let to = result(op)?;
    // By the sizes in the text: one that a value gives is never left out, even if it is 1.
    let Some(kept) = kept_dims(&known_sizes(op, "static_sizes"), &to.shape) else {
        return Err(Fault::new(format!("a part of {} is no `{}`", by(&part.sizes), Type::Tensor(to.clone()))));
    };
    let shape: Vec<u64> = kept.iter().map(|dim| part.sizes[*dim]).collect();
    let place = |at: &[u64]| part.inside(at).map(|at| kept.iter().map(|dim| at[*dim]).collect());
    let taken = rebuilt(&source, (shape, to), place)?;
    let step = |dim: &usize| Step { offset: part.offsets[*dim], stride: part.strides[*dim].cast_unsigned() };
    let Value::Sparse(tensor) = taken else { return Ok(vec![taken]) };
    Ok(vec![Value::Sparse(tensor.part_of(kept.iter().map(step).collect()))])
}

fn insert_slice(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.array()?.into_owned();
    let mut target = frame.operand(op, 1)?.array()?.into_owned();
    let part = Part::of(frame, op, 2)?;
    part.check(&target.shape)?;
    if entries(&machine.budget, &part.sizes)? != source.values.len() {
        return Err(Fault::new(format!("{} entries for a part of {}", source.values.len(), by(&part.sizes))));
    }
    let mut at = vec![0; part.sizes.len()];
    let values = std::sync::Arc::make_mut(&mut target.values);
    for entry in 0..source.values.len() {
        let offset = crate::value::offset(&target.shape, &part.outside(&at))?;
        values.set(offset, source.values.get(entry).unwrap_or(source.element.zero()));
        advance(&mut at, &part.sizes);
    }
    Ok(vec![Value::Array(target)])
}
