//! `linalg.generic` and what becomes one: a body for every point of a space of loops, operands accessed
//! by affine maps of the point.
//!
//! Meaning. An operand with an encoding has a value where it stores one and is absent elsewhere. A
//! product is absent where a factor is, so that `0 * inf` is no NaN there; any other operation takes an
//! absent operand for zero, and is absent where all its operands are and that makes it zero. What is
//! absent is not stored in a result with an encoding, and leaves an entry of a dense one as it is: a sum
//! is not changed by it. A reduction by anything but sums takes absent terms as zeros, `sparse_tensor.reduce`
//! leaves them out.

mod compiled;
mod direct;
mod sites;

use std::sync::Arc;

pub use sites::{Becomes, Site, sites};

use super::{
    Kernels,
    attribute::{AffineMap, Attribute},
    ir::Op,
    machine::{Fault, Frame, Machine},
    value::{Value, by},
};

/// An operation in this form, its operands at hand.
pub(super) struct Generic<'o> {
    pub op: &'o Op,
    /// One per operand, the results' last.
    pub maps: Vec<Arc<AffineMap>>,
    pub values: Vec<Value>,
    /// How many of the operands are inputs.
    pub inputs: usize,
    /// How far each loop runs.
    pub extents: Vec<u64>,
}

/// Runs the operation.
///
/// # Errors
/// Operands whose shapes disagree; whatever stops the body.
pub(super) fn run(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let generic = Generic::new(frame, op)?;
    if generic.is_compiled(machine.options.kernels)
        && let Some(results) = compiled::run(machine, frame, &generic)?
    {
        return Ok(results);
    }
    direct::run(machine, frame, &generic)
}

/// Kernels of fewer points are evaluated sooner than a plan is made for them. Measured roughly.
const COMPILED_FROM: u64 = 1 << 12;

impl<'o> Generic<'o> {
    fn is_compiled(&self, kernels: Kernels) -> bool {
        let points = self.extents.iter().fold(1u64, |points, extent| points.saturating_mul(*extent));
        match kernels {
            Kernels::BySize => points >= COMPILED_FROM,
            Kernels::Compiled => true,
            Kernels::Direct => false,
        }
    }

    fn new(frame: &Frame<'_>, op: &'o Op) -> Result<Generic<'o>, Fault> {
        let memoized = crate::program::dialects::linalg::MEMOIZED_MAPS;
        let maps = match op.attribute("indexing_maps").or(op.attribute(memoized)) {
            Some(Attribute::Array(maps)) => maps.iter().filter_map(Attribute::as_map).cloned().collect(),
            _ => Vec::new(),
        };
        let values = frame.all(&op.operands)?;
        let inputs = op.segments.first().copied().unwrap_or(values.len().saturating_sub(1));
        let mut generic = Generic { op, maps, values, inputs, extents: Vec::new() };
        generic.extents = generic.loops()?;
        Ok(generic)
    }

    /// The extent of each loop, which some operand has as a dimension of its own.
    fn loops(&self) -> Result<Vec<u64>, Fault> {
        let count = self.maps.first().map_or(0, |map| map.dims);
        let mut extents: Vec<Option<u64>> = vec![None; count];
        for (map, value) in self.maps.iter().zip(&self.values) {
            for (result, size) in map.results.iter().zip(value.sizes()) {
                let Some(extent) = result.as_var().and_then(|dim| extents.get_mut(dim.index())) else { continue };
                match extent {
                    Some(known) if *known != size => {
                        return Err(Fault::new(format!(
                            "a loop runs to {known} by one operand and to {size} by another"
                        )));
                    }
                    _ => *extent = Some(size),
                }
            }
        }
        let open = extents.iter().position(Option::is_none);
        if let Some(open) = open {
            return Err(Fault::new(format!("no operand says how far loop {open} runs")));
        }
        let extents: Vec<u64> = extents.into_iter().flatten().collect();
        self.check_bounds(&extents)?;
        Ok(extents)
    }

    /// Every access stays within its operand.
    fn check_bounds(&self, extents: &[u64]) -> Result<(), Fault> {
        if extents.contains(&0) {
            return Ok(());
        }
        for (map, value) in self.maps.iter().zip(&self.values) {
            let last: Vec<u64> = extents.iter().map(|extent| extent - 1).collect();
            let reached = place(map, &last);
            let sizes = value.sizes();
            if reached.iter().zip(&sizes).any(|(at, size)| *at >= i128::from(*size)) {
                let message = format!("the loops, {}, reach beyond an operand of {}", by(extents), by(&sizes));
                return Err(Fault::new(message));
            }
        }
        Ok(())
    }
}

/// Where a map leads at a point.
pub(super) fn place(map: &AffineMap, point: &[u64]) -> Vec<i128> {
    let var = |dim: crate::ids::Dim| point.get(dim.index()).map_or(0, |&at| at as i64);
    map.results.iter().map(|result| result.eval(&var, &|_| 0).map_or(-1, i128::from)).collect()
}
