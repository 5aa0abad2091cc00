//! The texts that diagnostics point into, each read by ariadne once however many diagnostics there are.

use std::{cell::RefCell, collections::HashMap, sync::Arc};

use ariadne::Source as AriadneSource;
use nnz_core::{ids::FileId, source::Source};

use super::excerpt::harmless_part;

#[derive(Default)]
pub(crate) struct Texts {
    sources: HashMap<FileId, Source>,
    /// Those that were shown already, safe to show.
    shown: RefCell<HashMap<FileId, Arc<AriadneSource>>>,
}

impl Texts {
    /// The number of texts, which is the id of the next one.
    pub(crate) fn len(&self) -> usize {
        self.sources.len()
    }
    /// Adds a text with a new id.
    pub(crate) fn add(&mut self, source: Source) {
        self.sources.insert(source.id, source);
    }
    pub(crate) fn get(&self, file: FileId) -> Option<Source> {
        self.sources.get(&file).cloned()
    }
    /// The whole text for ariadne, with every byte at its place in `source`.
    pub(super) fn shown(&self, source: &Source) -> Arc<AriadneSource> {
        let mut shown = self.shown.borrow_mut();
        shown.entry(source.id).or_insert_with(|| Arc::new(readable(source).into())).clone()
    }
}

fn readable(source: &Source) -> String {
    // A label at the very end has a character to stand under.
    harmless_part(&source.text, 0..source.text.len()).chain([' ']).collect()
}

#[cfg(test)]
impl FromIterator<Source> for Texts {
    fn from_iter<I: IntoIterator<Item = Source>>(sources: I) -> Texts {
        let mut texts = Texts::default();
        sources.into_iter().for_each(|source| texts.add(source));
        texts
    }
}
