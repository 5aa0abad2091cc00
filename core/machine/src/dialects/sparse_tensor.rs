//! `sparse_tensor` at run time: whole tensors with encodings. Operations in kernels' bodies and operations on the arrays
//! are in separate files.

use crate::{
    generic,
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Sparse, Value},
};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};
use nnz_check::TensorType;
use nnz_mlir::{ir::Op, types::Type};
use nnz_storage::{self as storage, Triplets};

pub(super) static MEANINGS: &[Row] = &[
    host("sparse_tensor.convert", convert),
    host("sparse_tensor.print", print),
    host("sparse_tensor.load", load),
    host("sparse_tensor.number_of_entries", count),
    host("sparse_tensor.has_runtime_library", |_, _, _| Ok(vec![Value::Scalar(Scalar::Int(0))])),
];

/// Keeps all entries; those of a dense tensor are its nonzeros.
pub(super) fn convert(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    if machine.catch.wants(op) {
        return Err(generic::caught_conversion(machine, frame, op));
    }
    let value = frame.operand(op, 0)?.clone();
    let to = op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))?;
    Ok(vec![converted(value, to)?])
}

pub(super) fn converted(value: Value, to: &TensorType) -> Result<Value, Fault> {
    check_sizes(&value.sizes(), to)?;
    let same = match (&value, &to.encoding) {
        (Value::Sparse(tensor), Some(encoding)) => tensor.encoding() == encoding && tensor.element() == to.element,
        (Value::Array(array), None) => array.element == to.element,
        _ => false,
    };
    if same {
        return Ok(value);
    }
    stored_as(listed(&value)?, to)
}

/// Entries as a tensor of a type.
pub(super) fn stored_as(triplets: Triplets, to: &TensorType) -> Result<Value, Fault> {
    check_sizes(triplets.shape(), to)?;
    let triplets = with_element(triplets, to.element)?;
    match &to.encoding {
        Some(encoding) => Ok(Value::Sparse(Sparse::packed(triplets, encoding)?)),
        None => {
            let values = storage::convert::dense_of(&triplets)?;
            Ok(Value::Array(Array { element: to.element, shape: triplets.shape().to_vec(), values: values.into() }))
        }
    }
}

fn check_sizes(sizes: &[u64], to: &TensorType) -> Result<(), Fault> {
    match sizes.iter().zip(&to.shape).find(|(size, wanted)| wanted.is_some_and(|wanted| wanted != **size)) {
        Some((size, wanted)) => {
            Err(Fault::new(format!("a dimension has size {size}, and its type says {}", wanted.unwrap_or(0))))
        }
        None => Ok(()),
    }
}

/// The entries of any tensor; those of a dense one are its nonzeros.
pub(super) fn triplets(value: &Value) -> Result<Triplets, Fault> {
    if let Value::Sparse(tensor) = value {
        return tensor.triplets();
    }
    if let Value::Entries(_) = value {
        return Ok(storage::summed(listed(value)?)?.without_zeros());
    }
    let array = value.array()?;
    Ok(storage::from_dense(&array.shape, array.element, &array.values)?)
}

/// The same, but those of a constant `sparse<...>` as its text lists them: what MLIR's conversions and loops see.
pub(super) fn listed(value: &Value) -> Result<Triplets, Fault> {
    if let Value::Entries(entries) = value { Ok((**entries).clone()) } else { triplets(value) }
}

/// Any tensor as a dense one.
pub(super) fn densified(value: Value) -> Result<Array, Fault> {
    if let Value::Sparse(tensor) = &value {
        let triplets = tensor.triplets()?;
        let values = storage::convert::dense_of(&triplets)?;
        return Ok(Array { element: triplets.element(), shape: triplets.shape().to_vec(), values: values.into() });
    }
    Ok(value.array()?.into_owned())
}

fn with_element(triplets: Triplets, element: Element) -> Result<Triplets, Fault> {
    if triplets.element() == element {
        return Ok(triplets);
    }
    let (shape, _, coords, values) = triplets.into_parts();
    let values = Values::from_scalars(element, values.iter().map(|value| nnz_loops::scalar::convert(element, value)));
    Ok(Triplets::new(shape, element, coords, values).map_err(storage::StorageError::from)?)
}

// Looking at tensors.

fn print(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let text = storage::dump::mlir_print(&*frame.operand(op, 0)?.sparse()?.storage()?);
    machine.print(&text)
}

fn load(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    Ok(vec![frame.operand(op, 0)?.sparse()?.finished().map(Value::Sparse)?])
}

fn count(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    Ok(vec![Value::index(frame.operand(op, 0)?.sparse()?.storage()?.nse() as u64)])
}
