//! What a running function must not do: it is noted while the loops run, and told behind them.
//!
//! A guard stands before the statement that needs it. Where it fails it notes the first such place in an array of a few
//! numbers, and the access that it guards reads zero, or writes nothing.

use nnz_base::{diagnostic::Diagnostic, source::Span};
use nnz_loops::{AccessMode, ArrayId, ArrayType, Binary, ExprId, Stmt, Unary};
use nnz_tir::model::{Access, Expr, Function};

use super::{Emission, arrays::Binding};
use crate::{
    element::outside,
    fault::{assertion, endless, operand},
};

/// The number of a place, counted from 1, and the indices there, as far as they fit.
pub(super) const NOTED: usize = 8;

#[derive(Default)]
pub(crate) struct Faults {
    array: Option<ArrayId>,
    sites: Vec<Site>,
}

/// What may go wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Site {
    Outside(Access),
    /// A division by zero, or a shift by no number of bits.
    Operand(Expr),
    Assert(Expr, String),
    Endless(Span),
}

/// What has to hold before a statement runs.
#[derive(Clone, PartialEq)]
pub(super) struct Guard {
    pub(super) site: Site,
    pub(super) holds: ExprId,
    /// When it is asked at all.
    pub(super) under: Option<ExprId>,
    pub(super) noted: Vec<ExprId>,
}

impl Emission<'_> {
    pub(super) fn guard(&mut self, site: Site, holds: ExprId, noted: Vec<ExprId>) {
        let guard = Guard { site, holds, under: self.under, noted };
        if !self.guards.contains(&guard) {
            self.guards.push(guard);
        }
    }

    /// The guards of a statement, before it.
    pub(super) fn settle(&mut self) {
        for guard in std::mem::take(&mut self.guards) {
            self.interrupt();
            let fails = self.b.unary(Unary::Not, guard.holds);
            let fails = guard.under.map_or(fails, |under| self.b.binary(Binary::And, under, fails));
            self.b.open();
            self.note(guard.site, &guard.noted);
            let then = self.b.close();
            self.b.push(Stmt::If { cond: fails, then, other: Vec::new() });
        }
    }

    /// Notes a place, if nothing is noted yet.
    fn note(&mut self, site: Site, indices: &[ExprId]) {
        let array = self.noting();
        self.faults.sites.push(site);
        let number = self.faults.sites.len() as i64;
        let first = self.is_fine();
        self.b.open();
        let number = self.b.index(number);
        for (at, value) in std::iter::once(number).chain(indices.iter().copied()).take(NOTED).enumerate() {
            let at = self.b.index(at as i64);
            self.b.store(array, at, value);
        }
        let then = self.b.close();
        self.b.push(Stmt::If { cond: first, then, other: Vec::new() });
    }

    /// Whether nothing has gone wrong so far.
    pub(super) fn is_fine(&mut self) -> ExprId {
        let (array, zero) = (self.noting(), self.b.index(0));
        let noted = self.b.load(array, zero);
        self.b.binary(Binary::Eq, noted, zero)
    }

    fn noting(&mut self) -> ArrayId {
        if let Some(array) = self.faults.array {
            return array;
        }
        let array = self.b.array("fault", ArrayType::Indices(nnz_loops::machine::Width::W64), AccessMode::ReadWrite);
        let room = self.b.index(NOTED as i64);
        self.b.set_length(array, room);
        self.arrays.push(Binding::Faults);
        self.faults.array = Some(array);
        array
    }
}

impl Faults {
    /// How many places may go wrong so far.
    pub(super) fn count(&self) -> usize {
        self.sites.len()
    }

    /// What is noted.
    pub(super) fn told(&self, function: &Function, noted: &[u64]) -> Option<Box<Diagnostic>> {
        let (number, indices) = noted.split_first()?;
        let site = self.sites.get(usize::try_from(*number).ok()?.checked_sub(1)?)?;
        let indices: Vec<i128> = indices.iter().map(|index| i128::from(*index as i64)).collect();
        Some(match site {
            Site::Outside(access) => outside(function, access, indices.get(..access.indices.len()).unwrap_or(&indices)),
            Site::Operand(expr) => operand(expr, indices.first().copied().unwrap_or(0)),
            Site::Assert(condition, message) => assertion(condition, message),
            Site::Endless(place) => endless(*place),
        })
    }
}
