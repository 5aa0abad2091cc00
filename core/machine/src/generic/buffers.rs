//! Kernels on buffers. Where no result is in the memory of another operand, a kernel computes from copies of the entries,
//! as it does with tensors, and the results are written back.

use std::sync::Arc;

use super::{Declined, Generic};
use crate::{
    budget::Budget,
    machine::Fault,
    value::{Value, fill_from},
};
use nnz_encoding::AffineMap;
use nnz_mlir::{
    dialects::memref::is_buffer,
    ir::{Op, Operand},
};

/// Whether a map of a result leads to each of its places, so that no old entry stays.
pub(super) fn reaches_all(map: &AffineMap) -> bool {
    let vars: Vec<_> = map.results.iter().map(|result| result.as_var()).collect();
    vars.iter().enumerate().all(|(at, var)| var.is_some() && !vars[..at].contains(var))
}

/// Whether the text shows that a result is in the memory of another operand, and at other places of it.
pub(super) fn must_overlap(op: &Op, inputs: usize, maps: &[Arc<AffineMap>]) -> bool {
    let clashes = |at: usize| {
        let operand = &op.operands[at];
        let mut others = op.operands.iter().enumerate().filter(|(other, _)| *other != at);
        let is_same = |(other, operand_other): (usize, &Operand)| {
            operand_other.value == operand.value && !goes_along(maps, (at, inputs), other)
        };
        is_buffer(&operand.ty) && others.any(is_same)
    };
    (inputs..op.operands.len()).any(clashes)
}

/// Whether an input is read, at each point, where the result of the same view is written, and that only at this point.
fn goes_along(maps: &[Arc<AffineMap>], (result, inputs): (usize, usize), other: usize) -> bool {
    let (Some(map), Some(read)) = (maps.get(result), maps.get(other)) else { return false };
    other < inputs && map == read && reaches_all(map) && map.results.len() == map.dims
}

impl<'o> Generic<'o> {
    pub(super) fn has_buffers(&self) -> bool {
        self.values.iter().any(|value| value.memory().is_ok())
    }

    /// The operation on copies of the entries of its buffers.
    ///
    /// # Errors
    /// Too little memory; a view that reaches beyond its buffer.
    pub(super) fn on_copies(&self, budget: &Budget) -> Result<Result<Generic<'o>, Declined>, Fault> {
        if (self.inputs..self.values.len()).any(|at| self.is_entangled(at)) {
            return Ok(Err(Declined::Buffers));
        }
        let copy = |value: &Value| match value.memory() {
            Ok(memory) => Ok(Value::Array(memory.as_it_is(budget)?)),
            Err(_) => Ok(value.clone()),
        };
        let values = self.values.iter().map(copy).collect::<Result<_, Fault>>()?;
        let (maps, extents) = (self.maps.clone(), self.extents.clone());
        Ok(Ok(Generic { op: self.op, maps, values, inputs: self.inputs, extents }))
    }

    /// Whether a result is a buffer in which old entries stay, or has several entries at one place, or may be in the memory
    /// of another operand.
    fn is_entangled(&self, at: usize) -> bool {
        let Some(Ok(result)) = self.values.get(at).map(Value::memory) else { return false };
        let overlaps = |(other, value): (usize, &Value)| {
            let memory = value.memory().ok().filter(|memory| other != at && memory.may_overlap(result));
            let goes_along = || goes_along(&self.maps, (at, self.inputs), other);
            memory.is_some_and(|memory| !(memory.is_same_view(result) && goes_along()))
        };
        let is_plain = result.has_own_places() && self.maps.get(at).is_some_and(|map| reaches_all(map));
        !is_plain || self.values.iter().enumerate().any(overlaps)
    }

    /// Writes the results of a kernel on copies to the buffers.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn write_back(&self, budget: &Budget, results: Vec<Value>) -> Result<Vec<Value>, Fault> {
        let outs = self.values.iter().skip(self.inputs);
        let write = |(out, result): (&Value, Value)| match (out.memory(), &result) {
            (Ok(memory), Value::Array(array)) => fill_from(budget, memory, array).map(|()| out.clone()),
            _ => Ok(result),
        };
        outs.zip(results).map(write).collect()
    }
}
