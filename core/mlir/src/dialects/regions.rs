//! The arguments and results of an operation's region.

use crate::{
    draft::Draft,
    ir::{Ending, Op, Operand, Region},
    mistake::Mistake,
    types::Type,
};
use nnz_base::{
    diagnostic::{Code, counted},
    source::Span,
};

/// The required form of a region.
pub(super) struct Shape<'a> {
    /// In words: "the `left` region".
    pub name: &'a str,
    pub takes: &'a [Type],
    /// The operation that ends it.
    pub end: &'static str,
    pub yields: &'a [Type],
}

impl Shape<'_> {
    /// # Errors
    /// An argument too many, too few or of another type; another end; other values that are handed on.
    pub(super) fn check(&self, draft: &Draft, region: &Region) -> Result<(), Mistake> {
        Mistake::all([self.arguments(draft, region), self.ending(draft, region)])
    }

    fn ending(&self, draft: &Draft, region: &Region) -> Result<(), Mistake> {
        // What stands behind the end is told of as that.
        if region.ending != Ending::Whole
            || region.operations.iter().any(|op| op.def.name == self.end && self.is_early(op, region))
        {
            return Ok(());
        }
        let wanted = format!("{} ends with `{}`", self.name, self.end);
        let Some(end) = region.operations.last() else {
            return Err(draft.mistake(format!("{wanted}, and has no operations")));
        };
        if end.def.name != self.end {
            let span = end.span;
            let mistake = Mistake::new(Code::OperationForm, span, format!("{wanted}, not with `{}`", end.def.name));
            return Err(mistake.label(format!("`{}` is missing behind this", self.end)));
        }
        if end.operands.len() != self.yields.len() {
            let wanted = values(self.yields.len());
            let message = format!("{} yields {wanted}, not {}", self.name, end.operands.len());
            return Err(Mistake::types(end.span, message).label(format!("{wanted} {} wanted", are(self.yields.len()))));
        }
        each(&end.operands, self.yields, |given, wanted| {
            format!("{} yields `{wanted}` here, not `{}`", self.name, given.ty)
        })
    }

    fn is_early(&self, op: &Op, region: &Region) -> bool {
        region.operations.last().is_some_and(|last| !std::ptr::eq(last, op) && last.def.name != self.end)
    }

    pub(super) fn arguments(&self, draft: &Draft, region: &Region) -> Result<(), Mistake> {
        let (found, wanted) = (region.arguments.len(), self.takes.len());
        if found != wanted {
            let all = region.arguments.iter().map(|argument| argument.span).reduce(Span::cover);
            let beyond = region.arguments.get(wanted).map(|argument| argument.span).or(all).unwrap_or(draft.span);
            let message = format!("{} takes {}, not {found}", self.name, values(wanted));
            let label = format!("{} {} wanted", values(wanted), are(wanted));
            return Err(Mistake::new(Code::OperationForm, beyond, message).label(label));
        }
        each(&region.arguments, self.takes, |given, wanted| {
            format!("{} takes `{wanted}` here, not `{}`", self.name, given.ty)
        })
    }
}

fn values(count: usize) -> String {
    counted(count, "value")
}

pub(super) fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// That another number of values is carried than there are results.
pub(super) fn carried_and_results(carried: usize, results: usize) -> String {
    format!("{} {} carried, and there {} {}", values(carried), are(carried), are(results), counted(results, "result"))
}

/// The first operand of another type than is wanted.
///
/// # Errors
/// There is one.
pub(super) fn each(
    given: &[Operand],
    wanted: &[Type],
    message: impl Fn(&Operand, &Type) -> String,
) -> Result<(), Mistake> {
    let differs =
        |(given, wanted): &(&Operand, &Type)| given.ty != **wanted && !given.ty.is_broken() && !wanted.is_broken();
    match given.iter().zip(wanted).find(differs) {
        Some((given, wanted)) => {
            Err(Mistake::types(given.span, message(given, wanted)).label(format!("this is `{}`", given.ty)))
        }
        None => Ok(()),
    }
}
