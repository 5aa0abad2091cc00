//! `spmm.specialize({n: 128, m: 64})`: numbers for parameters, which are parts of `spmm.params`.

use std::collections::HashMap;

use nnz_base::diagnostic::{Code, Diagnostic};
use nnz_base::{ids::FileId, source::Span};
use ruff_python_ast::{Expr, ExprCall};

use super::{
    evaluate::Python,
    python::{items, span},
    values::{Known, Scope},
};
use crate::model::{Fixed, Place};

/// The names that stand for parameters, each with its number; from the end where that is negative.
pub(super) type Params = HashMap<String, i64>;

/// Notes the names of `n, m = spmm.params[5:7]`, `n = spmm.params[5]`, and the like.
pub(super) fn note<'a>(
    (targets, value): (&'a [Expr], &'a Expr),
    params: &mut Params,
    python: (&mut Python<'a>, &Scope<'a>),
) {
    let [target] = targets else { return };
    let Some(from) = position(value, params, python) else { return };
    match (items(target), target.as_name_expr(), from) {
        (Some(parts), _, From::On(start)) => {
            let names = parts.iter().enumerate().filter_map(|(at, part)| Some((at, part.as_name_expr()?)));
            params.extend(names.map(|(at, name)| (name.id.to_string(), start + at as i64)));
        }
        (None, Some(name), From::One(at)) => drop(params.insert(name.id.to_string(), at)),
        _ => {}
    }
}

/// A parameter, or all from one on.
enum From {
    One(i64),
    On(i64),
}

fn position<'a>(value: &'a Expr, params: &Params, (python, scope): (&mut Python<'a>, &Scope<'a>)) -> Option<From> {
    let is_params = |expr: &Expr| expr.as_attribute_expr().is_some_and(|attribute| attribute.attr.as_str() == "params");
    if let Some(name) = value.as_name_expr() {
        return params.get(name.id.as_str()).copied().map(From::One);
    }
    if is_params(value) {
        return Some(From::On(0));
    }
    let part = value.as_subscript_expr().filter(|part| is_params(&part.value))?;
    match part.slice.as_slice_expr() {
        Some(slice) => match &slice.lower {
            Some(lower) => python.value(lower, scope)?.as_int().map(From::On),
            None => Some(From::On(0)),
        },
        None => python.value(&part.slice, scope)?.as_int().map(From::One),
    }
}

/// What a call of `specialize` gives its function's parameters.
///
/// # Errors
/// An argument that is no dictionary of parameters and whole numbers.
pub(super) fn fixed<'a>(
    call: &'a ExprCall,
    params: &Params,
    (python, scope): (&mut Python<'a>, &Scope<'a>),
) -> Result<Vec<Fixed>, Box<Diagnostic>> {
    let first = call.arguments.args.first().and_then(Expr::as_dict_expr);
    let dict = first.ok_or_else(|| told(span(call), "`specialize` takes a dictionary of parameters and numbers"))?;
    let mut values = Vec::new();
    for item in &dict.items {
        let key = item.key.as_ref().ok_or_else(|| told(span(dict), "the parameters are written out"))?;
        let Some(From::One(param)) = position(key, params, (&mut *python, scope)) else {
            return Err(told(span(key), "this is no parameter of a function"));
        };
        let Some(Known::Int(value)) = python.value(&item.value, scope) else {
            return Err(told(
                span(&item.value),
                "a parameter becomes a whole number that is known without running Python",
            ));
        };
        values.push(Fixed { param, value, place: Place(span(key)) });
    }
    Ok(values)
}

fn told(place: Span, message: &str) -> Box<Diagnostic> {
    let told = Diagnostic::new(Code::TirStepForm, FileId(0), place, message).label("not understood");
    Box::new(told.help("as in `n, m = spmm.params[5:7]`, then `spmm.specialize({n: 128, m: 64})`"))
}
