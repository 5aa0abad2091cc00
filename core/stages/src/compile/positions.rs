//! Loops over the positions of a row, and names for other expressions.

use nnz_tir::model::{Access, Binary, BufferId, Expr, ExprKind, Loop};

use super::{
    Emission,
    scope::{Form, Segment},
};
use nnz_loops::ExprId;

/// The positions below a parent.
pub(super) struct Rows {
    pub(super) starts: BufferId,
    pub(super) parent: Expr,
}

impl<'f> Emission<'f> {
    /// An expression with the variables replaced that are other names for something.
    pub(super) fn resolved(&self, expr: &Expr) -> Expr {
        let place = expr.place;
        let made = match expr.kind() {
            ExprKind::Variable(id) => {
                return self.scope.get(*id).and_then(|known| known.meaning.clone()).unwrap_or_else(|| expr.clone());
            }
            ExprKind::Binary(op, left, right) => Expr::binary(place, *op, self.resolved(left), self.resolved(right)),
            ExprKind::Load(access) => {
                let indices = access.indices.iter().map(|index| self.resolved(index)).collect();
                return Expr::load(Access { indices, ..access.clone() }, expr.element());
            }
            ExprKind::Cast(operand) => return self.resolved(operand).into_type(expr.element()),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Unary(..)
            | ExprKind::Math(..)
            | ExprKind::Choice { .. }
            | ExprKind::Least
            | ExprKind::Greatest
            | ExprKind::Offset(_)
            | ExprKind::Stride(..) => return expr.clone(),
        };
        made.unwrap_or_else(|_| expr.clone())
    }

    /// Whether an expression is always the same where its variables are: it reads nothing that is written.
    pub(super) fn is_fixed(&self, expr: &Expr) -> bool {
        let mut fixed = true;
        expr.walk(&mut |part| {
            fixed &= match part.kind() {
                ExprKind::Load(access) => !self.written.contains(&access.buffer),
                ExprKind::Variable(_)
                | ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Bool(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cast(_)
                | ExprKind::Math(..)
                | ExprKind::Choice { .. }
                | ExprKind::Least
                | ExprKind::Greatest
                | ExprKind::Offset(_)
                | ExprKind::Stride(..) => true,
            };
        });
        fixed
    }

    /// The positions that `j + starts[i]` goes over, where a loop over `j` runs over those from `starts[i]` on.
    pub(super) fn position(&self, expr: &Expr) -> Option<(ExprId, Segment)> {
        let ExprKind::Binary(Binary::Add, left, right) = expr.kind() else { return None };
        self.position_of(left, right).or_else(|| self.position_of(right, left))
    }

    fn position_of(&self, own: &Expr, start: &Expr) -> Option<(ExprId, Segment)> {
        let own = self.resolved(own);
        let known = self.scope.get(own.as_variable()?).filter(|known| known.form == Form::Index)?;
        let segment = known.segment.clone()?;
        let ExprKind::Load(access) = start.kind() else { return None };
        let is_it = access.buffer == segment.starts && access.indices.len() == 1;
        let parent = self.resolved(access.indices.first().filter(|_| is_it)?);
        (parent == segment.parent).then_some((segment.position, segment))
    }

    /// The rows that a loop from 0 to `starts[i + 1] - starts[i]` runs over one of, if these are known to ascend, with where
    /// that row begins and ends.
    pub(super) fn segment(&self, one: &'f Loop) -> Option<(Rows, [&'f Expr; 2])> {
        let ExprKind::Binary(Binary::Subtract, end, start) = one.end.kind() else { return None };
        let (ExprKind::Load(behind), ExprKind::Load(first)) = (end.kind(), start.kind()) else { return None };
        let ([parent], [next]) = (first.indices.as_slice(), behind.indices.as_slice()) else { return None };
        let parent = self.resolved(parent);
        let ExprKind::Binary(Binary::Add, before, by) = next.kind() else { return None };
        let follows = by.as_constant() == Some(1) && self.resolved(before) == parent;
        let ascends = self.known.of(first.buffer).is_some_and(|fact| fact.ascending && fact.least >= 0);
        let is_it = one.start.as_constant() == Some(0) && behind.buffer == first.buffer && follows && ascends;
        (is_it && !self.written.contains(&first.buffer))
            .then_some((Rows { starts: first.buffer, parent }, [&**start, &**end]))
    }
}
