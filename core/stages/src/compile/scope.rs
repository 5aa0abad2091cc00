//! The variables of a function while it becomes loops.

use std::collections::HashMap;

use nnz_loops::ExprId;
use nnz_tir::model::{BufferId, Expr, VariableId};

use super::ranges::Interval;

#[derive(Default)]
pub(super) struct Scope {
    known: HashMap<VariableId, Known>,
}

/// What is known of a variable where it is used.
#[derive(Clone)]
pub(super) struct Known {
    /// Its value in the loops.
    pub(super) value: ExprId,
    pub(super) form: Form,
    pub(super) range: Interval,
    /// What it is another name for; nothing in that changes.
    pub(super) meaning: Option<Expr>,
    /// It stays below this, if it runs in a loop.
    pub(super) end: Option<Expr>,
    pub(super) segment: Option<Segment>,
}

/// How the loops hold a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Bool,
    Index,
    Element,
}

/// A loop over the positions below one of the parent.
#[derive(Clone)]
pub(super) struct Segment {
    /// The position that the loop is at.
    pub(super) position: ExprId,
    /// Where the positions of each parent begin.
    pub(super) starts: BufferId,
    pub(super) parent: Expr,
}

impl Scope {
    pub(super) fn bind(&mut self, variable: VariableId, known: Known) {
        self.known.insert(variable, known);
    }
    pub(super) fn get(&self, variable: VariableId) -> Option<&Known> {
        self.known.get(&variable)
    }
}
