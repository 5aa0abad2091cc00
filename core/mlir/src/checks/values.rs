//! The kinds of values that an operation takes and gives.

use std::ops::RangeInclusive;

use crate::{
    constraints::{Constraint, Constraints, Count},
    draft::Draft,
    ir::Operand,
    mistake::Mistake,
    types::Type,
};
use nnz_base::diagnostic::counted;

/// # Errors
/// An operand or a result of another kind, one too many or too few.
pub(crate) fn check(draft: &Draft) -> Result<(), Mistake> {
    let Constraints { operands, results, pure, .. } = draft.def.types;
    if !counts(operands).contains(&draft.operands.len()) {
        return Err(wrong_count(draft, counts(operands)));
    }
    for (at, constraint) in places(operands, &draft.segments, draft.operands.len()) {
        if let Some(operand) = draft.operands.get(at).filter(|operand| !constraint.admits(&operand.ty)) {
            return Err(wrong_operand(draft, operand, constraint));
        }
    }
    if pure {
        one_semantics(draft)?;
    }
    if !counts(results).contains(&draft.results.len()) {
        let (gives, found) = (number_of("result", &counts(results)), draft.results.len());
        let message = format!("`{}` gives {gives}, not {found}", draft.name());
        return Err(draft.wrong_result(message).label(format!("gives {gives}")));
    }
    for (at, constraint) in places(results, &[], draft.results.len()) {
        if let Some(ty) = draft.results.get(at).filter(|ty| !constraint.admits(ty)) {
            let message = format!("`{}` gives {}, and this is {}", draft.name(), constraint.words, kind_of(ty));
            return Err(draft.wrong_result(message).label(format!("not {}", constraint.words)));
        }
    }
    Ok(())
}

/// # Errors
/// Elements of different types that must be equal.
pub(crate) fn elements(draft: &Draft) -> Result<(), Mistake> {
    let containers = draft.operands.iter().filter(|operand| operand.ty.scalar().is_none());
    let mut elements = containers.filter_map(|operand| Some((operand, operand.ty.element()?)));
    let Some((first, wanted)) = elements.next().filter(|_| draft.def.types.alike) else { return Ok(()) };
    if let Some((operand, found)) = elements.find(|(_, found)| *found != wanted) {
        let (name, one) = (draft.name_of(operand), draft.name_of(first));
        let message = format!("`{name}` has elements `{found}`, and `{one}` has `{wanted}`");
        return Err(Mistake::types(operand.span, message)
            .label(format!("elements `{found}`"))
            .secondary(first.span, format!("elements `{wanted}`")));
    }
    match draft.results.iter().filter_map(Type::element).find(|found| *found != wanted) {
        Some(found) => {
            let message = format!("the result has elements `{found}`, and `{}` has `{wanted}`", draft.name_of(first));
            let mistake = draft.wrong_result(message).label(format!("elements `{found}`"));
            Err(mistake.secondary(first.span, format!("elements `{wanted}`")))
        }
        None => Ok(()),
    }
}

/// The constraint of each of `count` values: by groups if several have any size; else those before the one that has,
/// then it, then those after it.
fn places<'a>(
    constraints: &'a [Constraint],
    segments: &[usize],
    count: usize,
) -> impl Iterator<Item = (usize, &'a Constraint)> {
    let open = constraints.iter().filter(|constraint| constraint.count != Count::One).count();
    let rest = (count + open).saturating_sub(constraints.len());
    let size = |(at, constraint): (usize, &Constraint)| match constraint.count {
        _ if open > 1 => segments.get(at).copied().unwrap_or(0),
        Count::One => 1,
        Count::Optional | Count::Any => rest,
    };
    let sizes: Vec<usize> = constraints.iter().enumerate().map(size).collect();
    constraints.iter().zip(sizes).flat_map(|(constraint, size)| std::iter::repeat_n(constraint, size)).enumerate()
}

/// How many values there may be, from the fewest to the most.
fn counts(constraints: &[Constraint]) -> RangeInclusive<usize> {
    let of = |count: Count| constraints.iter().filter(|constraint| constraint.count == count).count();
    let fewest = of(Count::One);
    fewest..=if of(Count::Any) > 0 { usize::MAX } else { fewest + of(Count::Optional) }
}

pub(crate) fn wrong_count(draft: &Draft, wanted: RangeInclusive<usize>) -> Mistake {
    let (takes, found) = (number_of("operand", &wanted), draft.operands.len());
    draft.mistake(format!("`{}` takes {takes}, not {found}", draft.name())).label(format!("takes {takes}"))
}

/// `1 operand`, `2 operands or more`
fn number_of(what: &str, wanted: &RangeInclusive<usize>) -> String {
    match (*wanted.start(), *wanted.end()) {
        (fewest, most) if fewest == most => counted(fewest, what),
        (fewest, usize::MAX) => format!("{} or more", counted(fewest, what)),
        (fewest, most) => format!("{fewest} to {most} {what}s"),
    }
}

fn wrong_operand(draft: &Draft, operand: &Operand, wanted: &Constraint) -> Mistake {
    let (name, kind) = (draft.name(), kind_of(&operand.ty));
    let ranked = matches!(operand.ty, Type::UnrankedTensor(_) | Type::UnrankedMemory(_));
    let words = format!("{}{}", wanted.words, if ranked { " with a rank" } else { "" });
    let message = format!("`{}` is {kind}; `{name}` takes {words}", draft.name_of(operand));
    let mistake = Mistake::types(operand.span, message).label(format!("not {words}"));
    match of_other_kind(name, &operand.ty) {
        Some(other) => mistake.fix(format!("write `{other}`"), draft.name_span(), other),
        None => mistake,
    }
}

/// All tensors, or all memrefs.
fn one_semantics(draft: &Draft) -> Result<(), Mistake> {
    let tensor = |operand: &&Operand| matches!(operand.ty, Type::Tensor(_));
    let memref = |operand: &&Operand| matches!(operand.ty, Type::Memory(_));
    match (draft.operands.iter().find(tensor), draft.operands.iter().find(memref)) {
        (Some(tensor), Some(memref)) => {
            let names = (draft.name_of(memref), draft.name_of(tensor));
            let message = format!("`{}` is a memref, and `{}` is a tensor", names.0, names.1);
            Err(Mistake::types(memref.span, message)
                .label("a memref")
                .secondary(tensor.span, "a tensor")
                .help(format!("`{}` takes tensors alone, or memrefs alone", draft.name())))
        }
        _ => Ok(()),
    }
}

/// What a value is, behind "is".
fn kind_of(ty: &Type) -> String {
    match ty {
        Type::Tensor(tensor) if tensor.encoding.is_some() => "a tensor with an encoding".to_string(),
        Type::Tensor(_) => "a tensor".to_string(),
        Type::UnrankedTensor(_) => "an unranked tensor".to_string(),
        Type::Memory(_) => "a memref".to_string(),
        Type::UnrankedMemory(_) => "an unranked memref".to_string(),
        Type::Vector(_) => "a vector".to_string(),
        Type::Function(_) => "a function".to_string(),
        Type::Specifier(_) => "a storage specifier".to_string(),
        Type::Space(_) => "an iteration space".to_string(),
        Type::Iterator(_) => "an iterator".to_string(),
        Type::Scalar(_) | Type::Pointer | Type::Broken => format!("`{ty}`"),
    }
}

/// The same question to tensors, and to buffers, in the same words of syntax.
pub(crate) const OF_TENSORS_AND_BUFFERS: &[(&str, &str)] = &[
    ("tensor.extract", "memref.load"),
    ("tensor.dim", "memref.dim"),
    ("bufferization.dealloc_tensor", "memref.dealloc"),
];

/// The operation that is meant if there is a tensor in place of a memref, or the reverse.
fn of_other_kind(name: &str, ty: &Type) -> Option<&'static str> {
    let meant = |(tensors, buffers): &(&'static str, &'static str)| {
        let is_tensor = matches!(ty, Type::Tensor(_)) && *buffers == name;
        let is_buffer = matches!(ty, Type::Memory(_)) && *tensors == name;
        is_tensor.then_some(*tensors).or(is_buffer.then_some(*buffers))
    };
    OF_TENSORS_AND_BUFFERS.iter().find_map(meant)
}
