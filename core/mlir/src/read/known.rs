//! A cache of the diagnostics of functions, from one version of a text to the next. An edit changes one function of a
//! thousand, and the diagnostics of the others stay the same.
//!
//! The diagnostics of a function depend on its own text, on the aliases before it, on the check's results for the types
//! in it, and, if it refers to other functions, on their heads. All of that goes into its fingerprint, so the place of
//! the function and the version of the text do not matter.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use super::{Costs, Others, Purpose, Reader, is_mistake};
use nnz_base::{diagnostic::Diagnostic, source::Span};
use nnz_check::Checked;

/// 64 bits of a hash: that two texts of one document have the same is not expected in anybody's lifetime.
type Fingerprint = u64;

/// The diagnostics of the functions of one version of a text.
#[derive(Debug, Default)]
pub struct Known {
    functions: HashMap<Fingerprint, Kept>,
    /// The findings in the last version, and its text.
    last: Option<(Arc<str>, Vec<Diagnostic>)>,
}

impl Known {
    pub(super) fn found_in(&mut self, text: &Arc<str>, found: &[Diagnostic]) {
        self.last = Some((text.clone(), found.to_vec()));
    }
    /// The findings in a text, if it is the last one.
    pub(super) fn last_of(&self, text: &Arc<str>) -> Option<&[Diagnostic]> {
        let (last, found) = self.last.as_ref()?;
        Arc::ptr_eq(last, text).then_some(found)
    }
}

/// The findings in one function.
#[derive(Debug)]
struct Kept {
    /// How many tokens it has.
    tokens: usize,
    /// Of all heads, if it asks for other functions.
    heads: Option<Fingerprint>,
    /// The number of mistakes that the check has reported.
    silent: usize,
    /// Placed as if the function were all of the text.
    diagnostics: Vec<Diagnostic>,
}

/// The state of the cache while a text is read.
pub(super) struct Memory {
    pub(super) costs: Costs,
    /// A place in the only function that is read, if not all are.
    pub(super) only: Option<(u32, Others)>,
    before: Known,
    now: Known,
    /// The aliases of this section so far.
    aliases: DefaultHasher,
    /// The heads and the aliases of this section.
    heads: DefaultHasher,
}

impl Memory {
    pub(super) fn of(before: Known, costs: Costs) -> Memory {
        let (now, aliases, heads) = (Known::default(), DefaultHasher::new(), DefaultHasher::new());
        Memory { costs, only: None, before, now, aliases, heads }
    }
    /// The cache after the text was read, without functions that are gone.
    pub(super) fn learnt(self) -> Known {
        self.now
    }

    fn recall(&mut self, key: Fingerprint) -> Option<&Kept> {
        let heads = self.heads.finish();
        let before = self.before.functions.remove(&key);
        if let Some(kept) = before.filter(|kept| kept.heads.is_none_or(|known| known == heads)) {
            self.now.functions.insert(key, kept);
        }
        self.now.functions.get(&key)
    }
}

impl Reader<'_> {
    /// From the current token to the last before the next item.
    fn item_span(&self) -> Span {
        let last = self.next_item().checked_sub(1).and_then(|last| self.tokens.get(last));
        last.map_or(self.span(), |last| self.span().cover(last.span()))
    }

    pub(super) fn forget_section(&mut self) {
        if let Purpose::Mistakes(memory) = &mut self.purpose {
            (memory.aliases, memory.heads) = (DefaultHasher::new(), DefaultHasher::new());
        }
    }

    /// The alias that begins here is known from now on.
    pub(super) fn note_alias(&mut self) {
        let span = self.item_span();
        if let Purpose::Mistakes(memory) = &mut self.purpose {
            hash(self.checked, span, &mut memory.aliases);
        }
    }

    /// Adds the tokens from `start` to here to the fingerprint of the heads of the section.
    pub(super) fn note_head(&mut self, start: usize) {
        let start = self.tokens.get(start).map_or(0, |token| token.span().start);
        let span = Span { start, end: self.last_span().end.max(start) };
        let table = self.table;
        if let Purpose::Mistakes(memory) = &mut self.purpose {
            table.hash(&mut memory.heads);
            hash(self.checked, span, &mut memory.heads);
        }
    }

    /// The section has a function `name` whose head is no head.
    pub(super) fn note_broken_head(&mut self, name: &str) {
        if let Purpose::Mistakes(memory) = &mut self.purpose {
            name.hash(&mut memory.heads);
        }
    }

    /// The fingerprint of the function that begins here, without other functions; `None` if more than the mistakes is
    /// wanted.
    pub(super) fn key(&self) -> Option<Fingerprint> {
        let Purpose::Mistakes(memory) = &self.purpose else { return None };
        let mut hasher = memory.aliases.clone();
        self.table.hash(&mut hasher);
        hash(self.checked, self.item_span(), &mut hasher);
        Some(hasher.finish())
    }

    /// If the function that begins here is cached, skips it and reports its diagnostics.
    pub(super) fn recall(&mut self, key: Fingerprint) -> bool {
        let (start, file) = (self.span().start, self.checked.source.id);
        let Purpose::Mistakes(memory) = &mut self.purpose else { return false };
        let Some(kept) = memory.recall(key) else { return false };
        self.at += kept.tokens;
        self.silent += kept.silent;
        self.told += kept.diagnostics.iter().filter(|known| is_mistake(known)).count();
        self.diagnostics.extend(kept.diagnostics.iter().cloned().map(|mut diagnostic| {
            diagnostic.places_mut().for_each(|(known, span)| (*known, *span) = (file, span.moved_by(start)));
            diagnostic
        }));
        true
    }

    /// Caches the diagnostics of the function that was read since token `start`.
    pub(super) fn remember(&mut self, key: Fingerprint, start: usize, (known, silent): (usize, usize)) {
        let from = self.tokens.get(start).map_or(0, |token| token.span().start);
        let mut diagnostics = self.diagnostics.get(known..).unwrap_or_default().to_vec();
        let end = self.last_span().end;
        let is_inside = |span: &Span| from <= span.start && span.end <= end;
        if !diagnostics.iter_mut().flat_map(Diagnostic::places_mut).all(|(_, span)| is_inside(span)) {
            // Aliases and other functions move apart from this one.
            return;
        }
        let places = diagnostics.iter_mut().flat_map(Diagnostic::places_mut);
        places.for_each(|(_, span)| *span = span.relative_to(from));
        let Purpose::Mistakes(memory) = &mut self.purpose else { return };
        let heads = self.asks.get().then(|| memory.heads.finish());
        let kept = Kept { tokens: self.at - start, heads, silent: self.silent - silent, diagnostics };
        memory.now.functions.insert(key, kept);
    }
}

/// A text, and what the check made of it.
fn hash(checked: &Checked, span: Span, hasher: &mut DefaultHasher) {
    checked.tree.text().get(span.range()).hash(hasher);
    checked.understood(span).hash(hasher);
    // What is read depends on where the check has told of a brace.
    let errors = checked.tree.errors();
    let first = errors.partition_point(|error| error.span.start < span.start);
    let within = errors.iter().skip(first).take_while(|error| error.span.start <= span.end);
    within.for_each(|error| (error.span.start - span.start, &error.message).hash(hasher));
}
