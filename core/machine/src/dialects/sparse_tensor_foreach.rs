//! `sparse_tensor.foreach` at run time.

use super::sparse_tensor::listed;
use crate::{
    budget::Budget,
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Value, advance, entries},
};
use nnz_base::element::Scalar;
use nnz_mlir::{attribute::Attribute, ir::Op};

pub(super) static MEANINGS: &[Row] = &[host("sparse_tensor.foreach", foreach)];

/// The entries in the order of the levels, zeros of dense levels among them, but no padding; of a dense tensor all, of
/// a constant `sparse<...>` those that it lists, row by row.
fn foreach(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    let mut carried = frame.take(op.operands.get(1..).unwrap_or_default())?;
    let region = op.region(0).ok_or_else(|| Fault::new("`sparse_tensor.foreach` without a region"))?;
    for (at, value) in visited(&machine.budget, &source, op)? {
        let mut arguments: Vec<Value> = at.into_iter().map(Value::index).collect();
        arguments.push(Value::Scalar(value));
        arguments.append(&mut carried);
        machine.step(1)?;
        carried = machine.region(frame, region, arguments)?;
    }
    Ok(carried)
}

type Visited = Vec<(Vec<u64>, Scalar)>;

fn visited(budget: &Budget, source: &Value, op: &Op) -> Result<Visited, Fault> {
    let mut visited: Visited = if let Value::Array(array) = source {
        let mut at = vec![0; array.shape.len()];
        let mut all = Vec::new();
        for entry in 0..entries(budget, &array.shape)? {
            all.extend(array.values.get(entry).map(|value| (at.clone(), value)));
            advance(&mut at, &array.shape);
        }
        all
    } else {
        let triplets = if let Value::Sparse(tensor) = source { tensor.visited()? } else { listed(source)? };
        (0..triplets.len()).filter_map(|entry| triplets.entry(entry)).collect()
    };
    if let Value::Entries(_) = source {
        visited.sort_by(|(one, _), (other, _)| one.cmp(other));
    }
    if let Some(order) = op.attribute("order").and_then(Attribute::as_map) {
        visited.sort_by_key(|(at, _)| order.image(at).collect::<Vec<i128>>());
    }
    Ok(visited)
}
