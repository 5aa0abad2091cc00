//! `tensor` at run time: extraction and insertion of parts of tensors.

use std::sync::Arc;

use super::{
    tensor::made,
    tensor_shapes::{known_sizes, numbers, rebuilt, result},
};
use crate::{
    budget::Budget,
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Step, Value, by, entries, strides},
};
use nnz_base::arrays::Values;
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

    /// The places of its entries in an array of the whole, row by row.
    fn places(&self, whole: &[u64]) -> impl Iterator<Item = usize> + use<> {
        let wholes = strides(whole);
        let steps = self.strides.iter().zip(&wholes).map(|(own, whole)| own.wrapping_mul(*whole));
        let dims: Vec<(u64, i64)> = self.sizes.iter().copied().zip(steps).rev().collect();
        let begin = self.offsets.iter().zip(&wholes).fold(0, |place, (at, by)| place + at.cast_signed() * by);
        let (size, step) = dims.first().copied().unwrap_or((1, 0));
        let outer = dims.get(1..).unwrap_or_default().to_vec();
        let rows: u64 = outer.iter().map(|(size, _)| size).product();
        (0..rows).flat_map(move |row| {
            let from = begin + moved(&outer, row);
            (0..size).map(move |at| (from + at.cast_signed() * step) as usize)
        })
    }

    /// Its entries, row by row.
    fn entries(&self, budget: &Budget, whole: &Array) -> Result<Values, Fault> {
        budget.room(&self.sizes, whole.element)?;
        let places = self.places(&whole.shape);
        Ok(nnz_base::with_values!(&*whole.values, v => Values::from(places.map(|at| v[at]).collect::<Vec<_>>())))
    }
}

/// How far the row of a number is from the first one; the dimensions are the innermost first.
fn moved(dims: &[(u64, i64)], mut row: u64) -> i64 {
    dims.iter().fold(0, |place, (size, step)| {
        let at = row % size;
        row /= size;
        place + at.cast_signed() * step
    })
}

fn extract_slice(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
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
    if let (Value::Array(array), None) = (&source, &to.encoding) {
        let taken = made(to, shape, part.entries(&machine.budget, array)?)?;
        taken.iter().for_each(|taken| machine.views.follow(&source, taken));
        return Ok(taken);
    }
    let place = |at: &[u64]| part.inside(at).map(|at| kept.iter().map(|dim| at[*dim]).collect());
    let taken = rebuilt(&source, (shape, to), place)?;
    let step = |dim: &usize| Step { offset: part.offsets[*dim], stride: part.strides[*dim].cast_unsigned() };
    let Value::Sparse(tensor) = taken else { return Ok(vec![taken]) };
    let is_view = tensor.encoding().dims().iter().any(|dim| dim.slice.is_some());
    let taken = Value::Sparse(tensor.part_of(kept.iter().map(step).collect()));
    if is_view {
        machine.views.overlap(&source, &taken);
    }
    Ok(vec![taken])
}

fn insert_slice(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.array()?.into_owned();
    let part = Part::of(frame, op, 2)?;
    let target = op.operands.get(1).ok_or_else(|| Fault::new("no tensor to insert into"))?;
    let mut target = frame.take_one(target)?.into_array()?;
    part.check(&target.shape)?;
    if entries(&machine.budget, &part.sizes)? != source.values.len() {
        return Err(Fault::new(format!("{} entries for a part of {}", source.values.len(), by(&part.sizes))));
    }
    let values = Arc::make_mut(&mut target.values);
    for (place, value) in part.places(&target.shape).zip(source.values.iter()) {
        values.set(place, value);
    }
    Ok(vec![Value::Array(target)])
}
