//! Functions with numbers in place of some parameters, which they no longer have.

use nnz_base::{
    arrays::Values,
    diagnostic::{Code, Diagnostic},
    element::Scalar,
    ids::FileId,
};
use nnz_tir::model::{
    Buffer, Expr, Function, Iterator, IteratorKind, Layout, Origin, ParamId, ParamKind, Specialization, VariableId,
};

use crate::{
    Array,
    fault::Done,
    lower::{canonical, rewrite::Rewrite},
    schedule::Substitution,
};

/// The function with these numbers.
///
/// # Errors
/// A number for what is no parameter, or no scalar; a length or a count below 0.
pub fn specialized(function: &Function, with: &Specialization) -> Result<Function, Box<Diagnostic>> {
    let mut made = function.clone();
    let mut dropped = Vec::new();
    for one in &with.values {
        let (param, variable) = scalar(function, one.param).ok_or_else(|| no_scalar(function, with, one.param))?;
        if one.value < 0 {
            let message = format!("`{}` is a size, and {} is below 0", function.params[param].name, one.value);
            return Err(Box::new(told(one.place.0, message)));
        }
        let value = Expr::int(one.place, one.value, function.variable(variable).element);
        made = with_number(&made, variable, &value)?;
        dropped.push(param);
    }
    without_params(&mut made, &dropped);
    canonical(function, &made)
}

/// The numbers by the names of their parameters, as arrays of one element.
pub fn numbers(function: &Function, with: &Specialization) -> Vec<(String, Array)> {
    let named = with.values.iter().filter_map(|one| {
        let (param, variable) = scalar(function, one.param)?;
        let element = function.variable(variable).element;
        let number = if element.is_float() { Scalar::Float(one.value as f64) } else { Scalar::Int(one.value.into()) };
        let values = Values::from_scalars(element, [number]);
        Some((function.params[param].name.clone(), Array { shape: vec![1], element, values }))
    });
    named.collect()
}

/// A parameter by its number, from the end where that is negative.
fn scalar(function: &Function, at: i64) -> Option<(usize, VariableId)> {
    let at = if at < 0 { at.checked_add(i64::try_from(function.params.len()).ok()?)? } else { at };
    let at = usize::try_from(at).ok()?;
    match function.params.get(at)?.kind {
        ParamKind::Scalar(variable) => Some((at, variable)),
        ParamKind::Handle | ParamKind::Array(_) => None,
    }
}

fn told(place: nnz_base::source::Span, message: String) -> Diagnostic {
    Diagnostic::new(Code::TirStep, FileId(0), place, message).label("not legal here")
}

fn no_scalar(function: &Function, with: &Specialization, at: i64) -> Box<Diagnostic> {
    let place = with.values.iter().find(|one| one.param == at).map_or(with.place.0, |one| one.place.0);
    let message = format!("parameter {at} of `{}` is no number", function.name);
    let scalars = function.params.iter().enumerate();
    let scalars = scalars.filter(|(_, param)| matches!(param.kind, ParamKind::Scalar(_)));
    let scalars: Vec<String> = scalars.map(|(at, param)| format!("{at} ({})", param.name)).collect();
    Box::new(told(place, message).help(format!("its numbers are the parameters {}", scalars.join(", "))))
}

fn with_number(function: &Function, variable: VariableId, value: &Expr) -> Done<Function> {
    let mut put = Substitution { variable, value };
    let iterators = function.iterators.iter().map(|iterator| iterator_with(&mut put, iterator));
    let iterators = iterators.collect::<Done<Vec<Iterator>>>()?;
    let buffers = function.buffers.iter().map(|buffer| buffer_with(&mut put, buffer));
    let buffers = buffers.collect::<Done<Vec<Buffer>>>()?;
    let body = put.statements(&function.body)?;
    Ok(Function { iterators, buffers, body, ..function.clone() })
}

fn iterator_with(put: &mut Substitution<'_>, iterator: &Iterator) -> Done<Iterator> {
    let mut made = iterator.clone();
    made.length = put.expr(&iterator.length)?;
    match &mut made.kind {
        IteratorKind::DenseVaried { count: Some(count), .. } | IteratorKind::CompressedVaried { count, .. } => {
            *count = put.expr(&count.clone())?;
        }
        IteratorKind::CompressedFixed { columns, .. } => *columns = put.expr(&columns.clone())?,
        IteratorKind::DenseFixed | IteratorKind::DenseVaried { count: None, .. } | IteratorKind::Flatten { .. } => {}
    }
    Ok(made)
}

fn buffer_with(put: &mut Substitution<'_>, buffer: &Buffer) -> Done<Buffer> {
    let mut made = buffer.clone();
    if let Layout::Dense(dense) = &mut made.layout {
        for size in dense.shape.iter_mut().chain(&mut dense.strides).chain(&mut dense.offset) {
            *size = put.expr(&size.clone())?;
        }
    }
    Ok(made)
}

/// Parameters leave, and those behind them get other numbers.
fn without_params(function: &mut Function, dropped: &[usize]) {
    let moved = |id: ParamId| ParamId::new(id.index() - dropped.iter().filter(|at| **at < id.index()).count());
    for iterator in &mut function.iterators {
        match &mut iterator.kind {
            IteratorKind::DenseFixed => {}
            IteratorKind::DenseVaried { indptr, .. } => *indptr = moved(*indptr),
            IteratorKind::CompressedFixed { indices, .. } => *indices = moved(*indices),
            IteratorKind::CompressedVaried { indptr, indices, .. } => {
                (*indptr, *indices) = (moved(*indptr), moved(*indices));
            }
            IteratorKind::Flatten { offsets, .. } => *offsets = moved(*offsets),
        }
    }
    for buffer in &mut function.buffers {
        if let Origin::Handle(param) = &mut buffer.origin {
            *param = moved(*param);
        }
    }
    let mut at = 0;
    function.params.retain(|_| {
        at += 1;
        !dropped.contains(&(at - 1))
    });
}
