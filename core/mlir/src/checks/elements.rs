//! The element types of operands: which ones an operation takes, and whether they must be equal.

use super::values::wrong_count;
use crate::{draft::Draft, ir::Operand, mistake::Mistake, types::Type};
use nnz_base::{element::Element, source::Span};

/// The element types that an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    Float,
    /// Signless integers and `index`.
    Integer,
    Complex,
    Any,
}

impl Domain {
    pub fn holds(self, element: Element) -> bool {
        match self {
            Domain::Float => element.is_float(),
            Domain::Integer => element.is_integer(),
            Domain::Complex => element.is_complex(),
            Domain::Any => true,
        }
    }
    pub fn words(self) -> &'static str {
        match self {
            Domain::Float => "a floating-point type",
            Domain::Integer => "an integer type or `index`",
            Domain::Complex => "a complex type",
            Domain::Any => "any type",
        }
    }
}

/// Checks that a draft has `count` operands, each with elements of `domain`.
///
/// # Errors
/// A different number of operands; the first operand of a wrong type.
pub fn operands(draft: &Draft, count: usize, domain: Domain) -> Result<(), Mistake> {
    if draft.operands.len() != count {
        return Err(wrong_count(draft, count..=count));
    }
    draft.operands.iter().try_for_each(|operand| in_domain(draft, operand, domain))
}

/// Operations on integers, and those on floats that do the same.
pub(crate) const TWINS: &[(&str, &str)] = &[
    ("arith.addi", "arith.addf"),
    ("arith.subi", "arith.subf"),
    ("arith.muli", "arith.mulf"),
    ("arith.divsi", "arith.divf"),
    ("arith.divui", "arith.divf"),
    ("arith.remsi", "arith.remf"),
    ("arith.remui", "arith.remf"),
    ("arith.cmpi", "arith.cmpf"),
    ("arith.trunci", "arith.truncf"),
    ("arith.maxsi", "arith.maximumf"),
    ("arith.minsi", "arith.minimumf"),
    ("math.absi", "math.absf"),
];

/// The operation on numbers of this type that does what `name` does.
pub(crate) fn on_elements(name: &'static str, element: Element) -> &'static str {
    match TWINS.iter().find(|(integers, floats)| name == *integers || name == *floats) {
        Some((_, floats)) if element.is_float() => floats,
        Some((integers, floats)) if name == *floats && element.is_integer() => integers,
        _ => name,
    }
}

/// The float operation that corresponds to this integer operation, or the reverse: `arith.mulf` for `arith.muli`.
fn of_other_numbers(name: &str) -> Option<&'static str> {
    TWINS.iter().find_map(|(integers, floats)| match name {
        _ if name == *integers => Some(*floats),
        _ if name == *floats => Some(*integers),
        _ => None,
    })
}

/// Predicates of integers, and those of floats that ask the same.
const PREDICATES: &[(&str, &str)] = &[
    ("eq", "oeq"),
    ("ne", "une"),
    ("slt", "olt"),
    ("sle", "ole"),
    ("sgt", "ogt"),
    ("sge", "oge"),
    ("ult", "olt"),
    ("ule", "ole"),
    ("ugt", "ogt"),
    ("uge", "oge"),
];

/// The place of an operation's name, and the name of its twin; of a comparison both with the predicate.
fn as_written(draft: &Draft, twin: &'static str) -> (Span, String) {
    let name = draft.name_span();
    let rest = draft.text_after(name).unwrap_or_default();
    let word = rest.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let pair = PREDICATES.iter().find(|(integers, floats)| match twin {
        "arith.cmpf" => *integers == word,
        "arith.cmpi" => *floats == word,
        _ => false,
    });
    let Some((integers, floats)) = pair else { return (name, twin.to_string()) };
    let end = name.end as usize + (rest.len() - rest.trim_start().len()) + word.len();
    let predicate = if twin == "arith.cmpf" { floats } else { integers };
    (Span::new(name.start as usize, end), format!("{twin} {predicate}"))
}

/// Checks the elements of one operand.
///
/// # Errors
/// Elements outside `domain`.
pub fn in_domain(draft: &Draft, operand: &Operand, domain: Domain) -> Result<(), Mistake> {
    match operand.ty.element() {
        Some(element) if !domain.holds(element) => {
            let message = format!("`{}` takes {}, not `{}`", draft.name(), domain.words(), operand.ty);
            let outside = |operand: &Operand| operand.ty.element().is_some_and(|element| !domain.holds(element));
            let all = draft.operands.iter().all(outside);
            match of_other_numbers(draft.name()).filter(|_| all) {
                Some(other) => {
                    let (place, written) = as_written(draft, other);
                    Err(Mistake::types(draft.span, message)
                        .label(format!("takes {}", domain.words()))
                        .secondary(operand.span, format!("this is `{}`", operand.ty))
                        .fix(format!("write `{written}`"), place, written))
                }
                None => Err(Mistake::types(operand.span, message).label(format!("this is `{}`", operand.ty))),
            }
        }
        None if !operand.ty.is_broken() => {
            Err(Mistake::types(operand.span, format!("`{}` cannot take `{}`", draft.name(), operand.ty)))
        }
        _ => Ok(()),
    }
}

/// Checks that every operand and result is of one type.
///
/// # Errors
/// The first value whose type differs from that of the first operand.
pub fn all_alike(draft: &Draft) -> Result<(), Mistake> {
    let Some(first) = draft.operands.first() else { return Ok(()) };
    let differs = |ty: &Type| !ty.is_broken() && !first.ty.is_broken() && *ty != first.ty;
    if let Some(other) = draft.operands.iter().find(|operand| differs(&operand.ty)) {
        let message = format!("this is `{}`, the first operand `{}`", other.ty, first.ty);
        return Err(Mistake::types(other.span, message));
    }
    match draft.results.iter().find(|ty| differs(ty)) {
        Some(ty) => Err(draft.wrong_result(format!("the result is `{ty}`, the operands are `{}`", first.ty))),
        None => Ok(()),
    }
}
