//! The output of programs, byte for byte that of `mlir-runner` (MLIR 22).

use crate::{
    budget::Budget,
    fault::Fault,
    value::{Array, Value},
};
use nnz_base::element::{Element, Scalar};
use nnz_storage::dump::{general, value_text};

/// As `vector.print` shows a scalar.
pub(super) fn scalar(element: Element, value: Scalar) -> String {
    value_text(element, value)
}

/// As `vector.print` shows a vector: `( ( 1, 2 ), ( 3, 4 ) )`.
pub(super) fn vector(array: &Array) -> String {
    if array.shape.is_empty() {
        return format!("( {} )", nested(array, &[], 0));
    }
    nested(array, &array.shape, 0)
}

fn nested(array: &Array, shape: &[u64], from: usize) -> String {
    let Some((&size, below)) = shape.split_first() else {
        return array.values.get(from).map_or(String::new(), |value| scalar(array.element, value));
    };
    let stride: usize = below.iter().product::<u64>() as usize;
    let parts: Vec<String> = (0..size as usize).map(|at| nested(array, below, from + at * stride)).collect();
    format!("( {} )", parts.join(", "))
}

/// As `printMemrefF64` and its like show a buffer or a dense tensor; those for one rank say nothing of
/// unranked. The address is not MLIR's.
///
/// # Errors
/// Anything else than a buffer or a dense tensor.
pub(super) fn memory(budget: &Budget, value: &Value, ranked: bool) -> Result<String, Fault> {
    let (array, offset, strides) = if let Value::Memory(memory) = value {
        (memory.to_array(budget)?, memory.offset, memory.strides.clone())
    } else {
        let array = value.array()?.into_owned();
        let strides = super::value::strides(&array.shape);
        (array, 0, strides)
    };
    let kind = if ranked { "Memref" } else { "Unranked Memref" };
    let sizes = list(array.shape.iter().map(u64::to_string));
    let strides = list(strides.iter().map(i64::to_string));
    let rank = array.shape.len();
    let head =
        format!("{kind} base@ = 0x0 rank = {rank} offset = {offset} sizes = [{sizes}] strides = [{strides}] data = \n");
    if rank == 0 {
        return Ok(format!("{head}[{}]\n", shown(&array, 0)));
    }
    Ok(format!("{head}{}\n", rows(&array, &array.shape, 0, 1)))
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn shown(array: &Array, at: usize) -> String {
    array.values.get(at).map_or(String::new(), |value| match value {
        Scalar::Float(x) => general(x),
        Scalar::Complex(z) => format!("({},{})", general(z.re), general(z.im)),
        other => scalar(array.element, other),
    })
}

/// Nested lists in square brackets, a line for each of the innermost, indented by their depth; a comma is
/// followed by one space more than the depth.
fn rows(array: &Array, shape: &[u64], from: usize, depth: usize) -> String {
    let Some((&size, below)) = shape.split_first() else { return shown(array, from) };
    let stride: usize = below.iter().product::<u64>() as usize;
    let parts: Vec<String> = (0..size as usize).map(|at| rows(array, below, from + at * stride, depth + 1)).collect();
    let indent = " ".repeat(depth);
    let between = if below.is_empty() { format!(", {indent}") } else { format!(", \n{indent}") };
    format!("[{}]", parts.join(&between))
}
