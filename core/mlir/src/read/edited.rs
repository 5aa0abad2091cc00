//! The mistakes in a text that differs from another in the body of one function: only that body is read, and the
//! findings in the rest of the other text are reused.
//!
//! The reader gets the heads of the functions that the body names, which are few. If the body has a mistake and the
//! reader asks for other heads, any function may be meant; then the body is read again with all heads.

use super::{Costs, Dialects, Known, Memory, Others, Purpose, Reader};
use nnz_base::{diagnostic::Diagnostic, source::Span};
use nnz_check::Checked;
use nnz_syntax::Edited;

/// `None` if all has to be read.
pub(super) fn mistakes(
    checked: &Checked,
    dialects: &'static Dialects,
    (known, costs): (&Known, Costs),
) -> Option<Vec<Diagnostic>> {
    let (text, edited) = checked.edited.as_ref()?;
    let last = known.last_of(text)?;
    let is_body = has_same_head(text, checked, *edited);
    let mut found = is_body.then(|| moved(last, *edited))??;
    let read = |others: Others| function(checked, dialects, ((edited.now.start, others), costs));
    let (mut own, asks) = read(Others::Named);
    if asks && own.iter().any(Diagnostic::is_error) {
        own = read(Others::All).0;
    }
    found.extend(own.into_iter().filter(|one| within(one.primary.span, edited.now)));
    found.sort_by_key(|one| one.primary.span.start);
    Some(found)
}

/// Whether the text of the function begins as before, up to the brace that opens its body.
fn has_same_head(before: &str, checked: &Checked, edited: Edited) -> bool {
    let Some(end) = super::items::head_end_at(checked, edited.now) else { return false };
    let len = (end - edited.now.start) as usize;
    let head =
        |text: &str, start: u32| text.as_bytes().get(start as usize..start as usize + len + 1).map(<[u8]>::to_vec);
    head(before, edited.before.start) == head(checked.tree.text(), edited.now.start)
}

/// The findings outside the function, at their new places; `None` if one points into the function.
fn moved(last: &[Diagnostic], edited: Edited) -> Option<Vec<Diagnostic>> {
    let outside = last.iter().filter(|one| !within(one.primary.span, edited.before));
    let mut outside: Vec<Diagnostic> = outside.cloned().collect();
    for (_, span) in outside.iter_mut().flat_map(Diagnostic::places_mut) {
        if span.start <= edited.before.end && edited.before.start <= span.end {
            return None;
        }
        *span = edited.moved(*span);
    }
    Some(outside)
}

fn within(place: Span, function: Span) -> bool {
    function.start <= place.start && place.start < function.end
}

/// What is found in one function, and in the heads of others; and whether it asks for others.
fn function(
    checked: &Checked,
    dialects: &'static Dialects,
    (only, costs): ((u32, Others), Costs),
) -> (Vec<Diagnostic>, bool) {
    let mut memory = Memory::of(Known::default(), costs);
    memory.only = Some(only);
    let mut reader = Reader::new(checked, dialects, Purpose::Mistakes(memory.into()));
    reader.sections();
    let asks = reader.asks.get();
    (reader.found(), asks)
}
