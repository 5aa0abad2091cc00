//! Checks that arguments fit a function's parameters. Every back end does this before it runs anything.

use super::{Argument, BackendError};
use nnz_base::{
    arrays::IndexArray,
    element::{Repr, Scalar},
};
use nnz_loops::{AccessMode, Array, ArrayType, Function, Type, VarId, sizes};

/// Checks the number, kind, machine type and mutability of the arguments, and the lengths that the parameters declare.
/// The lengths of other arrays are known only from data.
///
/// # Errors
/// The first argument that does not fit.
pub fn check(function: &Function, arrays: &[Argument<'_>], scalars: &[Scalar]) -> Result<(), BackendError> {
    check_count("arrays", function.array_params, arrays.len())?;
    check_count("scalars", function.scalar_params, scalars.len())?;
    for (at, (array, argument)) in function.array_parameters().iter().zip(arrays).enumerate() {
        array_problem(array, argument).map_or(Ok(()), |reason| bad(at, &array.name, reason))?;
    }
    for (at, (var, scalar)) in function.vars.iter().zip(scalars).enumerate() {
        scalar_problem(var.ty, *scalar).map_or(Ok(()), |reason| bad(at, &var.name, reason))?;
    }
    for (at, (array, argument)) in function.array_parameters().iter().zip(arrays).enumerate() {
        length_problem(function, array, argument, scalars).map_or(Ok(()), |reason| bad(at, &array.name, reason))?;
    }
    Ok(())
}

fn length_problem(function: &Function, array: &Array, argument: &Argument<'_>, scalars: &[Scalar]) -> Option<String> {
    let wanted = declared_length(function, array, scalars)?;
    let given = match argument {
        Argument::Values(values) => values.len(),
        Argument::ValuesMut(values) => values.len(),
        Argument::Indices(indices) => indices.len(),
        Argument::IndicesMut(indices) => indices.len(),
    };
    (usize::try_from(wanted) != Ok(given)).then(|| format!("it has {wanted} entries and the argument {given}"))
}

fn declared_length(function: &Function, array: &Array, scalars: &[Scalar]) -> Option<i64> {
    let param = |var: VarId| match scalars.get(var.index()) {
        Some(Scalar::Int(number)) => i64::try_from(*number).ok(),
        Some(Scalar::Float(_) | Scalar::Complex(_)) | None => None,
    };
    sizes::size(function, array.len?, &param)
}

/// The number of entries of an array that the function allocates.
///
/// # Errors
/// A negative number.
pub fn length(function: &Function, array: &Array, scalars: &[Scalar]) -> Result<usize, BackendError> {
    let len = declared_length(function, array, scalars).unwrap_or(-1);
    let problem = || BackendError::Failed(format!("`{}` is allocated with {len} entries", array.name));
    usize::try_from(len).map_err(|_| problem())
}

fn check_count(what: &str, wanted: usize, given: usize) -> Result<(), BackendError> {
    if wanted == given {
        return Ok(());
    }
    bad(given.min(wanted), what, format!("{wanted} are needed and {given} are given"))
}

fn bad(at: usize, parameter: &str, reason: String) -> Result<(), BackendError> {
    Err(BackendError::BadArgument { at, parameter: parameter.to_string(), reason })
}

fn array_problem(array: &Array, argument: &Argument<'_>) -> Option<String> {
    let (given, mutable) = match argument {
        Argument::Values(values) => (ArrayKind::Values(values.repr()), false),
        Argument::ValuesMut(values) => (ArrayKind::Values(values.repr()), true),
        Argument::Indices(IndexArray::U2 { .. }) | Argument::IndicesMut(IndexArray::U2 { .. }) => {
            return Some("2-bit coordinates must be expanded first".into());
        }
        Argument::Indices(indices) => (ArrayKind::Indices(index_repr(indices)), false),
        Argument::IndicesMut(indices) => (ArrayKind::Indices(index_repr(indices)), true),
    };
    let wanted = match array.ty {
        ArrayType::Values(element) => ArrayKind::Values(element.repr()),
        ArrayType::Indices(width) => ArrayKind::Indices(width.repr()),
    };
    if given != wanted {
        return Some(format!("it holds {wanted:?} and the argument {given:?}"));
    }
    (array.mode != AccessMode::Read && !mutable).then(|| "it is written, and the argument is read-only".to_string())
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ArrayKind {
    Values(Repr),
    Indices(Repr),
}

/// The machine type of an index array; packed coordinates count as bytes.
pub(crate) fn index_repr(indices: &IndexArray) -> Repr {
    match indices {
        IndexArray::U2 { .. } | IndexArray::U8(_) => Repr::U8,
        IndexArray::U16(_) => Repr::U16,
        IndexArray::U32(_) => Repr::U32,
        IndexArray::U64(_) => Repr::U64,
    }
}

fn scalar_problem(ty: Type, scalar: Scalar) -> Option<String> {
    let fits = match (ty, scalar) {
        (Type::Index, Scalar::Int(number)) => i64::try_from(number).is_ok(),
        (Type::Element(element), Scalar::Float(_)) => element.is_float(),
        (Type::Element(element), Scalar::Complex(_)) => element.is_complex(),
        (Type::Element(element), Scalar::Int(n)) => element.int_range().is_some_and(|(lo, hi)| lo <= n && n <= hi),
        (Type::Index, Scalar::Float(_) | Scalar::Complex(_)) | (Type::Bool, _) => false,
    };
    (!fits).then(|| format!("it is of type {ty} and the argument is {scalar:?}"))
}
