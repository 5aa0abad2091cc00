//! `nnz/textDocumentContent`: one kernel of a text in one view, as `nnz lower` and `:show` print it. Nothing runs: the
//! kernel is planned from its types.

mod assumed;
mod notation;
mod places;
mod program;
#[cfg(test)]
mod tests;

use nnz_base::{diagnostic::Diagnostic, source::Span};
use nnz_check::{Checked, Grammar, command::View};
use nnz_listing::{Listing, comment};

use crate::kernels::{kernel_named, kernels};
use places::Origins;
pub use places::ViewPlace;

/// A view of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preview {
    Shown(Shown),
    /// Why there is no view: the text has a mistake.
    Broken(String),
    /// The text has no kernel of this name, but these.
    Unknown(Vec<String>),
}

/// A view of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    pub text: String,
    /// In the order of the lines.
    pub places: Vec<ViewPlace>,
    /// What editors call its language, if it is not that of the view.
    pub language: Option<&'static str>,
}

/// The kernel of a name in a view; `None` once `cancelled` says so.
pub fn lowered(checked: &Checked, kernel: &str, view: View, cancelled: &dyn Fn() -> bool) -> Option<Preview> {
    let Some(place) = kernel_named(checked, kernel) else {
        let names = kernels(checked).into_iter().map(|kernel| kernel.name);
        return Some(Preview::Unknown(names.collect()));
    };
    if cancelled() {
        return None;
    }
    if let Some(error) = error_in(&checked.diagnostics, place.whole) {
        return Some(Preview::Broken(error));
    }
    match checked.grammar {
        Grammar::Notation => notation::lowered(checked, &place, view, cancelled),
        Grammar::Mlir => program::lowered(checked, &place, view, cancelled),
    }
}

/// The first error in a part of the text.
fn error_in(diagnostics: &[Diagnostic], whole: Span) -> Option<String> {
    let inside = |found: &&Diagnostic| {
        let place = found.primary.span;
        found.is_error() && whole.start <= place.start && place.start <= whole.end
    };
    diagnostics.iter().find(inside).map(|found| found.message.clone())
}

impl Shown {
    /// The `head` as comments, then the code.
    fn of(head: &[String], (listing, view): (&Listing<'_>, View), origins: &Origins) -> Shown {
        let code = match listing.whole(view) {
            Ok(code) => code.plain_text(),
            Err(reason) => comment(view, &reason.to_string()) + "\n",
        };
        let mut shown = Shown::said(view, head);
        shown.append(Shown { places: places::places(&code, view, origins), text: code, language: None });
        shown
    }

    /// Comments alone.
    fn said(view: View, lines: &[String]) -> Shown {
        let text = lines.iter().map(|line| comment(view, line) + "\n").collect();
        Shown { text, ..Shown::default() }
    }

    fn append(&mut self, below: Shown) {
        let before = self.text.lines().count();
        self.text += &below.text;
        self.places.extend(below.places.into_iter().map(|place| place.moved_by(before)));
    }
}
