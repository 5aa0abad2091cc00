//! The inherent attributes of an operation: none is missing, and each is of its kind.

use crate::{
    attribute::Attribute,
    draft::Draft,
    inherent::{Inherent, Kind},
    mistake::Mistake,
    types::Type,
};
use nnz_base::{
    element::{Element, Scalar},
    source::Span,
};

/// # Errors
/// An attribute that is missing, or of another kind.
pub(crate) fn check(draft: &Draft) -> Result<(), Mistake> {
    // Without operands there are no groups to size.
    let needed = |own: &Inherent| own.needed && !(matches!(own.kind, Kind::Sizes(_)) && draft.operands.is_empty());
    let lacking = |own: &&Inherent| needed(own) && draft.attribute(own.name).is_none();
    match draft.def.attributes.iter().find(lacking) {
        Some(own) => Err(missing(draft, own)),
        None => kinds(draft),
    }
}

/// # Errors
/// An attribute of another kind.
pub(crate) fn kinds(draft: &Draft) -> Result<(), Mistake> {
    // In the custom syntax, too, these stand in braces.
    let index = |own: &&Inherent| own.needed && matches!(own.kind, Kind::Number(Element::Index, ..));
    let lacking = |own: &&Inherent| index(own) && draft.attribute(own.name).is_none();
    if let Some(own) = draft.def.attributes.iter().find(lacking) {
        return Err(missing(draft, own));
    }
    for Inherent { name, kind, .. } in draft.def.attributes {
        if draft.attribute(name).is_some_and(|value| !kind.holds(value)) {
            let mistake = draft.wrong(name, format!("`{name}` is {}", kind.words()));
            return Err(match index_meant(draft, name, *kind) {
                Some((place, index)) => mistake.fix(format!("write `{index}`"), place, index),
                None => mistake,
            });
        }
    }
    Ok(())
}

/// A number that is an `index` but for its type: with that, and its place.
fn index_meant(draft: &Draft, name: &str, kind: Kind) -> Option<(Span, String)> {
    let number = draft.attribute(name)?.as_int()?;
    let index = Attribute::Number(Scalar::Int(number), Some(Type::INDEX));
    let meant = matches!(kind, Kind::Number(Element::Index, ..)) && kind.holds(&index);
    Some((draft.attributes.span(name).filter(|_| meant)?, format!("{number} : index")))
}

/// An attribute that the operation needs and its syntax leaves out.
pub(crate) fn missing(draft: &Draft, Inherent { name, kind, .. }: &Inherent) -> Mistake {
    let what = if matches!(kind, Kind::Any) { String::new() } else { format!(", {}", kind.words()) };
    let mistake = draft.mistake(format!("`{}` needs `{name}`{what}", draft.name())).label(format!("without `{name}`"));
    let others: Vec<&str> = draft.attributes.names().collect();
    match others[..] {
        // The only attribute: perhaps its name is misspelt.
        [other] if kind.holds(draft.attribute(other).unwrap_or(&Attribute::Unit)) => {
            match draft.attribute_name(other) {
                Some(place) => mistake.guess(place, *name),
                None => mistake,
            }
        }
        _ => mistake,
    }
}
