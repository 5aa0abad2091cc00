//! `affine` at run time: sums of indices by a map.

use crate::{
    machine::{Fault, Frame},
    meaning::{Row, host},
    value::Value,
};
use nnz_mlir::{attribute::Attribute, ir::Op};

pub(super) static MEANINGS: &[Row] = &[
    host("affine.apply", |_, frame, op| picked(frame, op, |results| results.first().copied())),
    host("affine.min", |_, frame, op| picked(frame, op, |results| results.iter().min().copied())),
    host("affine.max", |_, frame, op| picked(frame, op, |results| results.iter().max().copied())),
];

fn picked(frame: &Frame<'_>, op: &Op, pick: fn(&[i64]) -> Option<i64>) -> Result<Vec<Value>, Fault> {
    let map = op.attribute("map").and_then(Attribute::as_map).ok_or_else(|| Fault::new("no map to apply"))?;
    let at = frame.numbers(&op.operands)?;
    let number = |place: usize| at.get(place).map_or(0, |at| *at as i64);
    let (dim, sym) =
        (|dim: nnz_base::ids::Dim| number(dim.index()), |sym: nnz_base::ids::Sym| number(map.dims + sym.index()));
    let results: Option<Vec<i64>> = map.results.iter().map(|result| result.eval(&dim, &sym)).collect();
    let results = results.ok_or_else(|| {
        Fault::new("the map divides by a number that is not positive, or leaves what 64 bits can say")
    })?;
    Ok(pick(&results).map(|index| Value::index(index as u64)).into_iter().collect())
}
