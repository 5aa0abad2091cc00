//! The inherent attributes of an operation: none is missing, and each is of its kind.

use crate::{
    draft::Draft,
    inherent::{Inherent, Kind},
    mistake::Mistake,
};

/// # Errors
/// An attribute that is missing, or of another kind.
pub(crate) fn check(draft: &Draft) -> Result<(), Mistake> {
    // Without operands there are no groups to size.
    let needed = |own: &Inherent| own.needed && !(matches!(own.kind, Kind::Sizes(_)) && draft.operands.is_empty());
    let missing = |own: &&Inherent| needed(own) && draft.attribute(own.name).is_none();
    match draft.def.attributes.iter().find(missing) {
        Some(Inherent { name, kind, .. }) => {
            let what = if matches!(kind, Kind::Any) { String::new() } else { format!(", {}", kind.words()) };
            Err(draft.mistake(format!("`{}` needs `{name}`{what}", draft.name())).label(format!("without `{name}`")))
        }
        None => kinds(draft),
    }
}

/// # Errors
/// An attribute of another kind.
pub(crate) fn kinds(draft: &Draft) -> Result<(), Mistake> {
    for Inherent { name, kind, .. } in draft.def.attributes {
        if draft.attribute(name).is_some_and(|value| !kind.holds(value)) {
            return Err(draft.wrong(name, format!("`{name}` is {}", kind.words())));
        }
    }
    Ok(())
}
