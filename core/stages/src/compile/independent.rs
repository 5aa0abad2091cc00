//! Whether the iterations of a loop are independent: no two touch the same element of what is written.
//!
//! A buffer is safe if some dimension of every element that the loop names determines the iteration, in the same way. The
//! other dimensions do not matter then.

use std::ops::Range;

use nnz_tir::model::{Binary, BufferId, Expr, ExprKind, VariableId};

use super::{Emission, access::Touched};

/// A loop over a variable, and which of the touched elements it names.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) variable: VariableId,
    pub(super) touched: Range<usize>,
}

/// How an index tells the iteration. If all indices in a dimension have the same owner, equal ones belong to equal
/// iterations.
#[derive(PartialEq)]
enum Owner {
    /// It is the iteration.
    Itself,
    /// It is a position below a parent that tells it: rows do not overlap.
    Segment(BufferId, Box<Owner>),
    /// Divided by this, rounded down, it tells it.
    Quotient(Expr, Box<Owner>),
    /// The remainder of the division by this tells it.
    Remainder(Expr, Box<Owner>),
    /// The quotient by this in one dimension and the remainder in another tell it together.
    Both(Expr, Box<Owner>),
}

impl Emission<'_> {
    /// Whether no two different iterations of these loops touch the same element that one of them writes.
    pub(super) fn are_independent(&self, parts: &[Part]) -> bool {
        let touched: Vec<(VariableId, &Touched)> = parts.iter().flat_map(|part| self.of_part(part)).collect();
        let own: Vec<BufferId> = touched.iter().filter_map(|(_, one)| own(one)).collect();
        let written = touched.iter().filter_map(|(_, one)| match one {
            Touched::Element { buffer, writes: true, .. } if !own.contains(buffer) => Some(*buffer),
            Touched::Element { .. } | Touched::Own(_) => None,
        });
        { written }.all(|buffer| self.is_divided(buffer, &touched))
    }

    fn of_part(&self, part: &Part) -> impl Iterator<Item = (VariableId, &Touched)> {
        let variable = part.variable;
        self.touched.get(part.touched.clone()).unwrap_or_default().iter().map(move |one| (variable, one))
    }

    fn is_divided(&self, buffer: BufferId, touched: &[(VariableId, &Touched)]) -> bool {
        let indices =
            |(variable, one): &(VariableId, &_)| indices(one, buffer).map(|indices| (*variable, indices.to_vec()));
        let places: Vec<(VariableId, Vec<Expr>)> = touched.iter().filter_map(indices).collect();
        let rank = places.iter().map(|(_, indices)| indices.len()).min().unwrap_or(0);
        let pairs = (0..rank).flat_map(|one| (0..rank).map(move |other| (one, other)));
        { pairs }.any(|(one, other)| {
            let owners = places.iter().map(|(variable, indices)| match one == other {
                true => self.owner(&indices[one], *variable),
                false => self.of_both(&indices[one], &indices[other], *variable),
            });
            let owners: Option<Vec<Owner>> = owners.collect();
            owners.is_some_and(|owners| owners.windows(2).all(|pair| pair[0] == pair[1]))
        })
    }

    /// Of `all // size` and `all % size`.
    fn of_both(&self, quotient: &Expr, rest: &Expr, variable: VariableId) -> Option<Owner> {
        let (quotient, rest) = (self.within_cast(quotient), self.within_cast(rest));
        let ExprKind::Binary(Binary::FloorDivide, all, size) = quotient.kind() else { return None };
        let ExprKind::Binary(Binary::FloorModulo, same, by) = rest.kind() else { return None };
        let owner = self.owner(all, variable).filter(|_| all == same && size == by)?;
        Some(Owner::Both((**size).clone(), Box::new(owner)))
    }

    /// What a cast is of that changes no value here.
    pub(super) fn within_cast<'e>(&self, expr: &'e Expr) -> &'e Expr {
        if let ExprKind::Cast(within) = expr.kind()
            && self.fits(expr)
        {
            return self.within_cast(within);
        }
        expr
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "of other expressions nothing is known")]
    fn owner(&self, index: &Expr, variable: VariableId) -> Option<Owner> {
        if index.as_variable() == Some(variable) {
            return Some(Owner::Itself);
        }
        if let Some((_, segment)) = self.position(index) {
            let owner = self.owner(&segment.parent, variable)?;
            return Some(Owner::Segment(segment.starts, Box::new(owner)));
        }
        match index.kind() {
            ExprKind::Cast(index) if self.fits(index) => self.owner(index, variable),
            ExprKind::Binary(Binary::Add, left, right) if self.fits(index) => {
                let either = [(left, right), (right, left)];
                either.into_iter().find_map(|(row, rest)| self.of_row(row, rest, variable))
            }
            _ => None,
        }
    }

    /// Of `row * size + rest` with `rest` below `size`.
    fn of_row(&self, row: &Expr, rest: &Expr, variable: VariableId) -> Option<Owner> {
        let ExprKind::Binary(Binary::Multiply, row, size) = row.kind() else { return None };
        let fits = self.is_from_zero(rest) && self.is_below(rest, size) && self.interval(size).least > 0;
        if !fits {
            return None;
        }
        let size = (**size).clone();
        match self.owner(row, variable) {
            Some(owner) => Some(Owner::Quotient(size, Box::new(owner))),
            None => Some(Owner::Remainder(size, Box::new(self.owner(rest, variable)?))),
        }
    }
}

fn own(touched: &Touched) -> Option<BufferId> {
    if let Touched::Own(buffer) = touched { Some(*buffer) } else { None }
}

fn indices(touched: &Touched, of: BufferId) -> Option<&[Expr]> {
    match touched {
        Touched::Element { buffer, indices, .. } if *buffer == of => Some(indices),
        Touched::Element { .. } | Touched::Own(_) => None,
    }
}
