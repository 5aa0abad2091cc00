//! `v = x(1:2)`: a window, whose indices some languages count from 1.

use super::{Notation, Offer, Word, right_of};
use nnz_base::diagnostic::Diagnostic;
use nnz_syntax::NodeRef;

impl Notation<'_, '_> {
    /// The statements that a window without a variable may mean. Of two, nnz cannot know which: neither is a fix.
    pub(super) fn counted_windows(&self, error: &Diagnostic, name: &Word, init: NodeRef<'_>) -> Option<Diagnostic> {
        let offers = [false, true].map(|from_one| self.windows(&name.text, init, from_one));
        let fine = offers.into_iter().flatten().filter(|offer| self.fault_of(offer, init).is_none());
        let mut fine: Vec<Offer> = fine.collect();
        if fine.len() < 2 {
            return Some(self.offered(error.clone(), name, init, fine.pop()?));
        }
        let told = fine.iter().map(|offer| format!("{}: `{} = {}`", offer.why, offer.head, right_of(offer, init)));
        Some(told.fold(error.clone(), Diagnostic::help))
    }
}
