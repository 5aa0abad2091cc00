//! What names mean at a place.

use std::collections::HashMap;

use nnz_base::source::Span;
use ruff_python_ast::{Expr, StmtFunctionDef};

use crate::model::{BufferId, IteratorId, ParamId, VariableId};

/// What a name of a function stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    Param(ParamId),
    Iterator(IteratorId),
    Buffer(BufferId),
    Variable(VariableId),
}

/// A place where a name stands that was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    pub span: Span,
    pub thing: Thing,
}

/// What a name may mean while a function is read.
#[derive(Clone, Copy)]
pub(super) enum Meaning<'a> {
    Thing(Thing),
    /// A value that the Python around the function writes out.
    Known(&'a Expr),
    /// A Python function, which an attribute may name as an index map.
    Function(&'a StmtFunctionDef),
    /// Its declaration is wrong, which has been told.
    Broken,
}

/// The names that are known, in nested scopes.
#[derive(Default)]
pub(super) struct Names<'a> {
    known: HashMap<String, Vec<(Meaning<'a>, Span)>>,
    /// What each open scope has added.
    opened: Vec<Vec<String>>,
}

impl<'a> Names<'a> {
    /// Adds a name to the innermost scope; it hides another of this name.
    pub(super) fn add(&mut self, name: &str, meaning: Meaning<'a>, place: Span) {
        self.known.entry(name.to_string()).or_default().push((meaning, place));
        if let Some(scope) = self.opened.last_mut() {
            scope.push(name.to_string());
        }
    }
    pub(super) fn open(&mut self) {
        self.opened.push(Vec::new());
    }
    pub(super) fn close(&mut self) {
        for name in self.opened.pop().unwrap_or_default() {
            self.known.get_mut(&name).and_then(Vec::pop);
        }
    }
    /// What it means, and where it was declared.
    pub(super) fn find(&self, name: &str) -> Option<(Meaning<'a>, Span)> {
        self.known.get(name)?.last().copied()
    }
    /// Buffers get other numbers.
    pub(super) fn renumber(&mut self, moved: &HashMap<BufferId, BufferId>) {
        for (meaning, _) in self.known.values_mut().flatten() {
            if let Meaning::Thing(Thing::Buffer(id)) = meaning {
                *id = moved[id];
            }
        }
    }
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.known.iter().filter(|(_, meanings)| !meanings.is_empty()).map(|(name, _)| name.as_str())
    }
}
