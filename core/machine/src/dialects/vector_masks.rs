//! `vector` at run time: masks, and `step`.

use super::vector_shapes::{made, result_vector};
use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::Value,
};
use nnz_base::element::Scalar;
use nnz_mlir::{dialects::vector_shapes::places, ir::Op};

pub(super) static MEANINGS: &[Row] =
    &[host("vector.create_mask", create_mask), host("vector.constant_mask", create_mask), host("vector.step", step)];

/// True before a size in each dimension; a negative one is 0.
fn create_mask(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let sizes: Vec<u64> = match op.attribute("mask_dim_sizes") {
        Some(sizes) => places(Some(sizes)),
        None => frame.numbers(&op.operands)?.into_iter().map(|size| (size as i64).max(0) as u64).collect(),
    };
    made(&machine.budget, result_vector(op)?, |at| {
        Ok(Scalar::Int(at.iter().zip(&sizes).all(|(at, size)| at < size).into()))
    })
}

fn step(machine: &mut Machine<'_>, _: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    made(&machine.budget, result_vector(op)?, |at| Ok(Scalar::Int(at.first().copied().unwrap_or(0).into())))
}
