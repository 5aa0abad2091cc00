//! `scf` at run time: loops and branches.

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Value, advance},
};
use nnz_base::element::Element;
use nnz_mlir::{attribute::Attribute, ir::Op};

pub(super) static MEANINGS: &[Row] = &[
    host("scf.if", run_if),
    host("scf.index_switch", run_switch),
    host("scf.for", run_for),
    host("scf.parallel", run_parallel),
    host("scf.while", run_while),
    host("scf.execute_region", execute),
];

fn run_if(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let taken = usize::from(frame.operand(op, 0)?.scalar()?.is_zero());
    match op.region(taken) {
        Some(region) => machine.region(frame, region, Vec::new()),
        None => Ok(Vec::new()),
    }
}

fn run_switch(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let value = super::arith::to_signed(Element::Index, frame.operand(op, 0)?.scalar()?);
    let cases = op.attribute("cases").and_then(Attribute::as_ints).unwrap_or_default();
    let taken = cases.iter().position(|case| *case == value).map_or(0, |case| case + 1);
    match op.region(taken) {
        Some(region) => machine.region(frame, region, Vec::new()),
        None => Ok(Vec::new()),
    }
}

fn run_for(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let element = op.operands.first().and_then(|operand| operand.ty.element()).unwrap_or(Element::Index);
    let bound = |at| -> Result<i128, Fault> { Ok(super::arith::to_signed(element, frame.operand(op, at)?.scalar()?)) };
    let [from, to, step] = [bound(0)?, bound(1)?, bound(2)?];
    if step <= 0 {
        return Err(Fault::new(format!("the step of the loop is {step}, and would never end")));
    }
    let mut carried = frame.take(op.operands.get(3..).unwrap_or_default())?;
    let Some(region) = op.region(0) else { return Ok(carried) };
    let mut at = from;
    while at < to {
        carried.insert(0, Value::Scalar(super::arith::wrapped(element, at)));
        machine.step(1)?;
        carried = machine.region(frame, region, carried)?;
        at += step;
    }
    Ok(carried)
}

/// In the order of sequential loops: no iteration may depend on another one.
fn run_parallel(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let numbers = frame.numbers(&op.operands)?;
    let bound = |at: usize| numbers.get(at).map_or(0, |number| i128::from(*number as i64));
    let rank = numbers.len() / 3;
    let (mut extents, mut points) = (Vec::new(), 1u64);
    for dim in 0..rank {
        let [from, to, step] = [bound(dim), bound(rank + dim), bound(2 * rank + dim)];
        if step <= 0 {
            return Err(Fault::new(format!("the step of the loop is {step}, and would never end")));
        }
        let extent = u64::try_from((to - from + step - 1) / step).unwrap_or(0);
        points = points.saturating_mul(extent);
        extents.push(extent);
    }
    let Some(region) = op.region(0) else { return Ok(Vec::new()) };
    let mut at = vec![0; rank];
    for _ in 0..points {
        let place = |(dim, at): (usize, &u64)| bound(dim) + i128::from(*at) * bound(2 * rank + dim);
        let arguments = at.iter().enumerate().map(place).map(|at| Value::index(at as u64)).collect();
        machine.step(1)?;
        machine.region(frame, region, arguments)?;
        advance(&mut at, &extents);
    }
    Ok(Vec::new())
}

fn run_while(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let (Some(before), Some(after)) = (op.region(0), op.region(1)) else { return Ok(Vec::new()) };
    let mut carried = frame.take(&op.operands)?;
    loop {
        machine.step(1)?;
        let mut handed = machine.region(frame, before, carried)?;
        if handed.is_empty() {
            return Err(Fault::new("the loop's first region ends without `scf.condition`"));
        }
        let cond = handed.remove(0).scalar()?;
        if cond.is_zero() {
            return Ok(handed);
        }
        carried = machine.region(frame, after, handed)?;
    }
}

fn execute(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    match op.region(0) {
        Some(region) => machine.region(frame, region, Vec::new()),
        None => Ok(Vec::new()),
    }
}
