//! Tries fixes of syntax errors before they are offered: at the token where it stops, the grammar cannot see what a
//! slip broke elsewhere. A fix that leaves as many syntax errors is dropped, and one that leads to other errors is only
//! a guess.

use std::collections::HashSet;

use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Fix},
    source::Span,
};

/// So many fixes of one text are tried; the others are guesses.
const MOST_TRIED: usize = 4;

/// The errors of a text, one for each place.
#[derive(Clone, Copy)]
pub struct Errors {
    /// Those of syntax alone.
    unread: usize,
    all: usize,
}

impl Errors {
    pub fn of(found: &[Diagnostic]) -> Errors {
        let at = |wanted: &dyn Fn(&Diagnostic) -> bool| {
            let places = found.iter().filter(|one| wanted(one)).map(|one| one.primary.span.start);
            places.collect::<HashSet<_>>().len()
        };
        Errors { unread: at(&|one| one.code == Code::SyntaxError), all: at(&Diagnostic::is_error) }
    }
}

/// Tries the sure fixes of the syntax errors among `found`, the errors of `text`, which begins at an offset of the whole.
pub fn settle(found: &mut [Diagnostic], (text, from): (&str, u32), check: impl Fn(&str) -> Errors) {
    let (errors, mut tried) = (Errors::of(found), 0);
    for one in found.iter_mut().filter(|one| one.code == Code::SyntaxError) {
        one.fixes.retain_mut(|fix| {
            if fix.applicability == Applicability::MaybeIncorrect {
                return true;
            }
            tried += 1;
            let left = applied(text, from, fix).filter(|_| tried <= MOST_TRIED).map(|text| check(&text));
            if left.is_none_or(|left| left.all >= errors.all) {
                fix.applicability = Applicability::MaybeIncorrect;
            }
            left.is_none_or(|left| left.unread < errors.unread)
        });
    }
}

/// Tries the guesses of syntax errors, too: one that leads to an error without a fix is left out. Undefined names do
/// not count. `check` gives the errors of a text in place of this one.
pub(crate) fn try_guesses(
    found: &mut [Diagnostic],
    (text, from): (&str, u32),
    check: impl Fn(&str) -> Vec<Diagnostic>,
) {
    let (errors, mut tried) = (wrong_places(found), 0);
    for one in found.iter_mut().filter(|one| one.code == Code::SyntaxError) {
        one.fixes.retain(|fix| {
            tried += usize::from(fix.applicability == Applicability::MaybeIncorrect);
            let untried = fix.applicability == Applicability::MachineApplicable || tried > MOST_TRIED;
            untried || applied(text, from, fix).is_none_or(|text| leads_on(text, errors, &check))
        });
    }
}

/// Whether a text has fewer errors, or comes to fewer by the fixes that its errors offer.
fn leads_on(mut text: String, errors: usize, check: &impl Fn(&str) -> Vec<Diagnostic>) -> bool {
    for _ in 0..MOST_TRIED {
        let found = check(&text);
        if wrong_places(&found) < errors {
            return true;
        }
        let next = found.iter().filter(|one| one.is_error()).find_map(|one| one.fixes.first());
        let Some(next) = next.and_then(|fix| applied(&text, 0, fix)) else { return false };
        text = next;
    }
    false
}

fn wrong_places(found: &[Diagnostic]) -> usize {
    let wrong = found.iter().filter(|one| one.is_error() && one.code != Code::UnknownName);
    wrong.map(|one| one.primary.span.start).collect::<HashSet<_>>().len()
}

/// `text` with the edits of a fix, if all are within it.
pub(crate) fn applied(text: &str, from: u32, fix: &Fix) -> Option<String> {
    let mut edits: Vec<(Span, &str)> = fix.edits.iter().map(|edit| (edit.span, edit.replacement.as_str())).collect();
    edits.sort_by_key(|(span, _)| *span);
    let (mut whole, mut at) = (String::new(), 0);
    for (span, replacement) in edits {
        let (start, end) = (span.start.checked_sub(from)? as usize, span.end.checked_sub(from)? as usize);
        whole.push_str(text.get(at..start)?);
        whole.push_str(replacement);
        at = end;
    }
    whole.push_str(text.get(at..)?);
    Some(whole)
}
