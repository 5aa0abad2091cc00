//! Expressions over positions.

use nnz_base::source::Span;
use nnz_tir::{
    model::{Access, Binary, Expr, IteratorId, IteratorKind, Place, Region, Role, Statement, VariableId},
    resolve::{How, resolve, runs},
};

use super::{Lowering, Position, rewrite::Rewrite};
use crate::fault::{Done, unread};

impl<'f> Rewrite<'f> for Lowering<'f> {
    /// A coordinate as a value, or another variable.
    fn variable(&mut self, expr: &'f Expr) -> Done<Expr> {
        let coordinate = expr.as_variable().filter(|id| self.function.variable(*id).role == Role::Iteration);
        coordinate.map_or(Ok(expr.clone()), |id| self.coordinate(id, expr.place))
    }

    /// An element: coordinates that find their iterators become positions.
    fn access(&mut self, access: &'f Access) -> Done<Access> {
        let found = resolve(self.function, &self.around, access);
        let mut indices = Vec::with_capacity(access.indices.len());
        for at in 0..access.indices.len() {
            indices.push(self.index(access, &found, at)?);
        }
        Ok(Access { place: access.place, buffer: access.buffer, indices })
    }

    fn region(&mut self, region: &'f Region) -> Done<Region> {
        let told =
            unread(region.place.0, "regions of coordinates are not lowered yet").label("a region of coordinates");
        Err(Box::new(told.help("leave `T.reads` and `T.writes` out: they are inferred")))
    }

    fn special(&mut self, statement: &'f Statement) -> Done<Option<Vec<Statement>>> {
        statement.iteration().map(|iteration| self.iteration(iteration, statement.place)).transpose()
    }
}

impl<'f> Lowering<'f> {
    fn index(&mut self, access: &'f Access, found: &[How], at: usize) -> Done<Expr> {
        let iterators = self.function.buffer(access.buffer).iterators();
        let now = |at: usize| iterators.get(at).map(|id| self.structure.moved[id.index()].0);
        let index = &access.indices[at];
        match (found.get(at), now(at)) {
            (Some(How::Matched), Some(id)) => {
                let below = now(at + 1).filter(|_| found.get(at + 1) == Some(&How::Matched));
                let goes_on = below.is_some_and(|below| self.lowered.iterator(below).parent() == Some(id));
                if self.positions.get(&id).is_some_and(|position| position.fused) && !goes_on {
                    return Err(self.held(id, index.place.0));
                }
                self.position(id, index.place)
            }
            (Some(How::Searched), Some(id)) => Err(self.searched(id, access)),
            (Some(How::Dense) | None, _) | (_, None) => self.expr(index),
        }
    }

    fn coordinate(&mut self, id: VariableId, place: Place) -> Done<Expr> {
        let Some((running, _)) = runs(&self.around, id) else {
            return Err(Box::new(unread(place.0, "this coordinate belongs to no iteration around")));
        };
        let now = self.structure.moved[running.iterator.index()].0;
        self.coordinate_of(now, place)
    }

    /// The coordinate of an iterator that runs.
    pub(super) fn coordinate_of(&mut self, id: IteratorId, place: Place) -> Done<Expr> {
        let Some(position) = self.positions.get(&id).cloned() else { return Err(self.not_running(id, place.0)) };
        let element = self.lowered.iterator(id).width.element();
        let own = Expr::variable(place, position.variable, element);
        if position.fused {
            return Err(self.held(id, place.0));
        }
        let Some(indices) = self.structure.arrays[id.index()].indices else { return Ok(own) };
        let mut at = self.above(id, place)?;
        at.push(own);
        Ok(Expr::load(Access { place, buffer: indices, indices: at }, element))
    }

    /// A fused iterator without a loop of its own: what it would be at has to be searched for.
    fn held(&self, id: IteratorId, place: Span) -> Box<nnz_base::diagnostic::Diagnostic> {
        let name = &self.lowered.iterator(id).name;
        let told = unread(place, format!("where `{name}` is within a fused loop is not lowered yet"));
        Box::new(told.label("it has to be searched for").help("do not fuse its iterator"))
    }

    fn not_running(&self, id: IteratorId, place: Span) -> Box<nnz_base::diagnostic::Diagnostic> {
        Box::new(unread(place, format!("`{}` does not run here", self.lowered.iterator(id).name)))
    }

    /// The positions of the ancestors of an iterator that runs.
    pub(super) fn above(&self, id: IteratorId, place: Place) -> Done<Vec<Expr>> {
        let attached = self.positions.get(&id).and_then(|position| position.attached.clone());
        if let Some(parent) = attached {
            return Ok(vec![parent]);
        }
        let path = self.lowered.path(id);
        let above = path.into_iter().filter(|above| *above != id);
        above.map(|above| self.position(above, place)).collect()
    }

    /// The position of an iterator below its parent.
    pub(super) fn position(&self, id: IteratorId, place: Place) -> Done<Expr> {
        let Some(Position { variable, .. }) = self.positions.get(&id) else {
            return Err(self.not_running(id, place.0));
        };
        Ok(Expr::variable(place, *variable, self.lowered.iterator(id).width.element()))
    }

    fn searched(&self, id: IteratorId, access: &Access) -> Box<nnz_base::diagnostic::Diagnostic> {
        let name = &self.lowered.iterator(id).name;
        let told =
            unread(access.place.0, format!("the coordinate of `{name}` is searched for, and that is not lowered yet"));
        Box::new(told.label("no loop is at its position").help(format!("iterate over `{name}`, and use its name")))
    }

    /// What the positions of an iterator below one of its parent never reach.
    pub(super) fn bound(&self, id: IteratorId) -> Expr {
        let iterator = self.lowered.iterator(id);
        match &iterator.kind {
            IteratorKind::CompressedFixed { columns, .. } => columns.clone(),
            IteratorKind::DenseFixed
            | IteratorKind::DenseVaried { .. }
            | IteratorKind::CompressedVaried { .. }
            | IteratorKind::Flatten { .. } => iterator.length.clone(),
        }
    }

    /// How many positions an iterator has below the position of its parent.
    pub(super) fn extent(&self, id: IteratorId, place: Place) -> Done<Expr> {
        let iterator = self.lowered.iterator(id);
        let Some(indptr) = self.structure.arrays[id.index()].indptr else {
            return Ok(self.bound(id));
        };
        let start = self.above(id, place)?;
        let mut end = start.clone();
        let made = end.pop().and_then(|last| {
            let one = Expr::int(place, 1, last.element());
            end.push(Expr::binary(place, Binary::Add, last, one).ok()?);
            let load = |indices| Expr::load(Access { place, buffer: indptr, indices }, iterator.width.element());
            Expr::binary(place, Binary::Subtract, load(end), load(start)).ok()
        });
        made.ok_or_else(|| self.not_running(id, place.0))
    }
}
