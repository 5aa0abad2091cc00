//! Declarations without a use.

use std::collections::HashSet;

use nnz_base::{diagnostic::Code, source::Span};

use super::Checker;
use crate::read::Thing;
use crate::sites::sites;

impl Checker<'_> {
    /// In a function with iterations: a format description only declares.
    pub(super) fn unused(&mut self) {
        if !sites(self.function).iter().any(|site| site.statement.iteration().is_some()) {
            return;
        }
        let mut seen = HashSet::new();
        let again = self.read.mentions.iter().filter(|mention| !seen.insert(mention.thing));
        let used: HashSet<Thing> = again.map(|mention| mention.thing).collect();
        let mut seen = HashSet::new();
        for mention in self.read.mentions.iter().filter(|mention| seen.insert(mention.thing)) {
            let what = match mention.thing {
                Thing::Iterator(_) => "iterator",
                Thing::Buffer(_) => "buffer",
                Thing::Param(_) | Thing::Variable(_) => continue,
            };
            if !used.contains(&mention.thing) {
                self.never_used(what, mention.span);
            }
        }
    }

    fn never_used(&mut self, what: &str, place: Span) {
        let name = self.source.slice(place);
        let told = self.mistake(Code::UnusedDeclaration, place, format!("the {what} `{name}` is never used"));
        self.tell(told.label("no use below"));
    }
}
