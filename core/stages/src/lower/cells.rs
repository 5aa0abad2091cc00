//! Statements over one-element buffers, which hold what a search finds.

use nnz_base::element::Element;
use nnz_tir::model::{
    Access, Binary, Bits, Buffer, BufferId, Dense, Expr, Layout, Origin, Place, Scope, Statement, StatementKind,
};

use super::Lowering;
use crate::fault::{Done, unread};

/// A buffer of one number.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    buffer: BufferId,
    element: Element,
    place: Place,
}

impl Cell {
    fn access(self) -> Access {
        Access { place: self.place, buffer: self.buffer, indices: vec![Expr::int(self.place, 0, Element::I32)] }
    }
    pub(super) fn value(self) -> Expr {
        Expr::load(self.access(), self.element)
    }
    pub(super) fn set(self, value: Expr) -> Statement {
        let kind = StatementKind::Store(self.access(), value.into_type(self.element));
        Statement { place: self.place, kind }
    }
    pub(super) fn set_int(self, value: i64) -> Statement {
        self.set(Expr::int(self.place, value, self.element))
    }
}

impl Lowering<'_> {
    /// A cell that lives from here on.
    pub(super) fn cell(&mut self, name: &str, element: Element, place: Place) -> Cell {
        let shape = vec![Expr::int(place, 1, Element::I32)];
        let layout = Layout::Dense(Dense { shape, strides: Vec::new(), offset: None, bits: Bits::default() });
        let scope = Scope::named("local").unwrap_or(Scope::GLOBAL);
        let name = self.names.fresh(name);
        self.lowered.buffers.push(Buffer { name, place, element, scope, origin: Origin::Allocated, layout });
        let buffer = BufferId::new(self.lowered.buffers.len() - 1);
        self.before.push(Statement { place, kind: StatementKind::Allocate(buffer) });
        Cell { buffer, element, place }
    }
}

pub(super) fn binary(op: Binary, left: Expr, right: Expr) -> Done<Expr> {
    let place = left.place;
    Expr::binary(place, op, left, right)
        .map_err(|_| Box::new(unread(place.0, "this coordinate is no whole number").label("a number of another type")))
}

/// An operation with a small number.
pub(super) fn with_int(op: Binary, left: Expr, right: i64) -> Done<Expr> {
    let right = Expr::int(left.place, right, left.element());
    binary(op, left, right)
}

pub(super) fn when(condition: Expr, then: Vec<Statement>, otherwise: Vec<Statement>) -> Statement {
    Statement { place: condition.place, kind: StatementKind::If { condition, then, otherwise } }
}

pub(super) fn during(condition: Expr, body: Vec<Statement>) -> Statement {
    Statement { place: condition.place, kind: StatementKind::While(condition, body) }
}

/// Both conditions. The second is computed only where the first holds, for it may read what is not there otherwise.
pub(super) fn both(first: Option<Expr>, second: Expr) -> Done<Expr> {
    let Some(first) = first else { return Ok(second) };
    let place = second.place;
    Expr::choice(place, true, [first, second, Expr::bool(place, false)])
        .map_err(|_| Box::new(unread(place.0, "this is no condition").label("of another type")))
}
