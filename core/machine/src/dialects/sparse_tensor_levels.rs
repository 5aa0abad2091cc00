//! `sparse_tensor` at run time: levels and maps: sizes, translation of coordinates between dimensions and levels,
//! reinterpretation of arrays.

use std::sync::Arc;

use super::sparse_tensor::converted;
use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Sparse, Step, Value},
};
use nnz_base::ids::{Dim, Lvl};
use nnz_check::TensorType;
use nnz_encoding::{Affine, Encoding, Slice};
use nnz_mlir::{
    dialects::sparse_tensor_levels::{encoder, encoding_of, part_of},
    ir::Op,
    types::Type,
};
use nnz_storage::Storage;

pub(super) static MEANINGS: &[Row] = &[
    host("sparse_tensor.lvl", level_size),
    host("sparse_tensor.crd_translate", translate),
    host("sparse_tensor.reinterpret_map", reinterpret),
    host("sparse_tensor.reorder_coo", reorder),
    host("sparse_tensor.slice.offset", slice_part),
    host("sparse_tensor.slice.stride", slice_part),
];

fn level_size(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let sizes = frame.operand(op, 0)?.sparse()?.storage()?.lvl_sizes();
    let level = frame.operand(op, 1)?.number()?;
    match usize::try_from(level).ok().and_then(|level| sizes.get(level)) {
        Some(size) => Ok(vec![Value::index(*size)]),
        None => Err(Fault::new(format!("there is no level {level} of {}", sizes.len()))),
    }
}

fn translate(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let (encoding, to_levels) = encoder(op.attribute("encoder"), op.attribute("direction"))
        .ok_or_else(|| Fault::new("no encoding to translate by"))?;
    let at = frame.numbers(&op.operands)?;
    let coordinates = if to_levels { levels_of(encoding, &at) } else { dims_of(encoding, &at) };
    let coordinates = coordinates.ok_or_else(|| Fault::new("the coordinates leave what 64 bits can say"))?;
    Ok(coordinates.into_iter().map(Value::index).collect())
}

/// The coordinates of the levels at those of the dimensions.
fn levels_of(encoding: &Encoding, dims: &[u64]) -> Option<Vec<u64>> {
    let exprs = encoding.levels().iter().map(|level| &level.expr);
    evaluated(exprs, |dim: Dim| dim.index(), dims)
}

/// The coordinates of the dimensions at those of the levels.
pub(super) fn dims_of(encoding: &Encoding, levels: &[u64]) -> Option<Vec<u64>> {
    evaluated(encoding.inverse()?.iter(), |lvl: Lvl| lvl.index(), levels)
}

fn evaluated<'e, V: Copy + PartialEq + 'e>(
    exprs: impl Iterator<Item = &'e Affine<V>>,
    place: impl Fn(V) -> usize,
    at: &[u64],
) -> Option<Vec<u64>> {
    let var = |var: V| at.get(place(var)).map_or(0, |&at| at as i64);
    exprs.map(|expr| expr.eval(&var, &|_| 0).map(|value| value as u64)).collect()
}

/// The same arrays under another map.
fn reinterpret(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let to = op.result_types.first().and_then(Type::sparse).ok_or_else(|| Fault::new("no tensor to make"))?;
    let Some(encoding) = &to.encoding else { return Err(Fault::new("no encoding to read the arrays by")) };
    let shape = reinterpreted_shape(&storage, to)?;
    let (element, (levels, values)) = (storage.element(), Arc::unwrap_or_clone(storage).into_parts());
    let tensor = Value::Sparse(Sparse::new(Storage::new(encoding.clone(), element, shape, levels, values)?));
    machine.views.same(frame.operand(op, 0)?, &tensor);
    Ok(vec![tensor])
}

/// The sizes that make levels of the same sizes.
fn reinterpreted_shape(storage: &Storage, to: &TensorType) -> Result<Vec<u64>, Fault> {
    if let Some(shape) = to.shape.iter().copied().collect::<Option<Vec<u64>>>() {
        return Ok(shape);
    }
    let order = to.encoding.as_ref().and_then(|encoding| encoding.permutation());
    let order = order.ok_or_else(|| Fault::new("the sizes of the new dimensions are not known"))?;
    let mut shape = vec![0; to.shape.len()];
    for (dim, size) in order.iter().zip(storage.lvl_sizes()) {
        if let Some(slot) = shape.get_mut(dim.index()) {
            *slot = size;
        }
    }
    Ok(shape)
}

/// MLIR sorts the entries where they are.
fn reorder(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let value = frame.operand(op, 0)?.clone();
    let to = op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))?;
    let sorted = converted(value.clone(), to)?;
    machine.views.overlap(&value, &sorted);
    Ok(vec![sorted])
}

/// What the type states of a slice, else what it was made of.
fn slice_part(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let dim = nnz_mlir::dialects::sparse_tensor::dimension(op.attribute("dim")).unwrap_or(0);
    let slice = op.operands.first().and_then(encoding_of).and_then(|encoding| encoding.dims().get(dim)?.slice);
    let stated = slice.and_then(|slice| part_of(op.def.name, slice));
    let made = || {
        let Step { offset, stride } = frame.operand(op, 0)?.sparse()?.part(dim).ok_or_else(|| {
            let message = format!("dimension {dim} of the tensor is no slice of another tensor's");
            Fault::new(message).help("`tensor.extract_slice` makes one whose type leaves it open")
        })?;
        part_of(op.def.name, Slice { offset: Some(offset), size: None, stride: Some(stride) })
            .ok_or_else(|| Fault::bug("a slice without an offset"))
    };
    stated.map_or_else(made, Ok).map(|part| vec![Value::index(part)])
}
