//! `sparse_tensor.expand` and `compress`: the innermost level as a dense workspace, and back.

use super::sparse_tensor_levels::dims_of;
use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Memory, Value, entries},
};
use nnz_base::{arrays::Values, element::Scalar};
use nnz_mlir::{dialects::sparse_tensor_expand::workspace, ir::Op};

pub(super) static MEANINGS: &[Row] = &[host("sparse_tensor.expand", expand), host("sparse_tensor.compress", compress)];

/// An empty workspace, as long as the innermost level.
fn expand(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let size = storage.lvl_sizes().last().copied().unwrap_or(1);
    let count = entries(&machine.budget, &[size])?;
    let buffer = |element| Value::Memory(Memory::new(element, vec![size], Values::zeros(element, count)));
    let mut made: Vec<Value> = workspace(Some(storage.element())).into_iter().map(buffer).collect();
    made.push(Value::index(0));
    Ok(made)
}

/// Inserts what the workspace holds, and empties it.
fn compress(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let mut buffers = Vec::new();
    for at in 0..3 {
        buffers.push(frame.operand(op, at)?.memory()?.clone());
    }
    let Ok([values, filled, added]) = <[Memory; 3]>::try_from(buffers) else {
        return Err(Fault::new("the workspace is missing"));
    };
    let count = frame.operand(op, 3)?.number()?;
    machine.step(count)?;
    let target = op.operands.get(4).ok_or_else(|| Fault::new("no tensor to insert into"))?;
    let Value::Sparse(mut tensor) = frame.take_one(target)? else {
        return Err(Fault::new("a tensor with an encoding is wanted here"));
    };
    let mut levels = frame.numbers(op.operands.get(5..).unwrap_or_default())?;
    let encoding = tensor.encoding().clone();
    for at in 0..count {
        let coordinate = Value::Scalar(added.load(&[at])?).number()?;
        levels.push(coordinate);
        let dims =
            dims_of(&encoding, &levels).ok_or_else(|| Fault::new("the coordinates leave what 64 bits can say"))?;
        tensor.insert(dims, values.load(&[coordinate])?)?;
        levels.pop();
        values.store(&[coordinate], values.element.zero())?;
        filled.store(&[coordinate], Scalar::Int(0))?;
    }
    Ok(vec![Value::Sparse(tensor)])
}
