//! Locations, `loc(...)`: an operation, an argument of a block, and a parameter may end with one.
//!
//! The tokens of locations are left out of what is read. What is read notes where one may stand; one that stands anywhere
//! else is an error.

use super::{Reader, scope::Use};
use crate::mistake::{Mistake, Read};
use nnz_base::source::Span;
use nnz_syntax::location::MISPLACED;

#[derive(Default)]
pub(super) struct Locations {
    /// In the order of the text.
    places: Vec<Span>,
    /// Of each whether one may stand there.
    placed: Vec<bool>,
}

impl Locations {
    pub(super) fn new(places: Vec<Span>) -> Locations {
        Locations { placed: vec![false; places.len()], places }
    }

    /// The first in this part of the text, from its start up to its end.
    fn first_in(&self, part: Span) -> Option<usize> {
        let first = self.places.partition_point(|place| place.start < part.start);
        self.places.get(first).filter(|place| place.end <= part.end).map(|_| first)
    }

    /// The first in this part that may not stand where it does.
    fn misplaced_in(&self, part: Span) -> Option<Span> {
        let first = self.first_in(part)?;
        let behind = self.places.get(first..)?.iter().zip(self.placed.get(first..)?);
        let mut within = behind.take_while(|(place, _)| place.end <= part.end);
        within.find(|(_, placed)| !**placed).map(|(place, _)| *place)
    }
}

impl<'c> Reader<'c> {
    /// From the end of the last token to the start of the next.
    fn gap(&self) -> Span {
        let next = self.tokens.get(self.at).map_or(u32::MAX, |next| next.span().start);
        Span { start: self.last_span().end, end: next }
    }

    /// Here an operation or an argument ends, perhaps with a location.
    pub(crate) fn optional_location(&mut self) {
        if let Some(at) = self.locations.first_in(self.gap()) {
            self.locations.placed[at] = true;
        }
    }

    /// The name of an argument whose type stands elsewhere.
    ///
    /// # Errors
    /// Another token.
    pub(crate) fn argument_name(&mut self) -> Read<Use<'c>> {
        let name = self.value_use()?;
        self.optional_location();
        Ok(name)
    }

    /// Reports a location in the text from byte `from` to the next token that may not stand there.
    pub(super) fn no_location_since(&mut self, from: u32) {
        let part = Span { start: from, ..self.gap() };
        if let Some(place) = self.locations.misplaced_in(part) {
            let mistake = Mistake::syntax(place, MISPLACED).label("not at its end");
            self.report(mistake.guess(place, ""));
        }
    }

    /// Reports a location between two items.
    pub(super) fn no_location_between(&mut self) {
        if self.purpose.only().is_none() {
            self.no_location_since(self.gap().start);
        }
    }
}
