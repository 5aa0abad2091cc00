//! Whether an iteration is a sum whose terms vanish where nothing is stored: then it is the sum of its parts.

use nnz_base::source::Span;
use nnz_tir::{
    model::{
        Access, Binary, BufferId, Expr, ExprKind, Iteration, IteratorId, Statement, StatementKind, Step, Unary,
        VariableId,
    },
    rules::illegal,
    sites::loads_of,
};

use super::merged::Merged;
use crate::fault::Done;

/// Whether a statement names an element of these buffers.
pub(super) fn touches(statement: &Statement, buffers: &[BufferId]) -> bool {
    let reads = statement.exprs().into_iter().any(|expr| reads(expr, buffers));
    let writes = statement.written().is_some_and(|target| buffers.contains(&target.buffer));
    reads || writes || statement.bodies().into_iter().flatten().any(|inner| touches(inner, buffers))
}

fn reads(expr: &Expr, buffers: &[BufferId]) -> bool {
    loads_of(expr).iter().any(|access| buffers.contains(&access.buffer))
}

/// An iteration and what is decomposed in it.
pub(super) struct Sum<'s> {
    pub(super) buffers: &'s [BufferId],
    /// The coordinates of the decomposed iterators, in order.
    pub(super) coordinates: &'s [VariableId],
}

impl Merged<'_> {
    /// Why an iteration cannot be decomposed; else the coordinates of the decomposed iterators.
    pub(super) fn checked(&self, iteration: &Iteration, place: Span) -> Done<Vec<VariableId>> {
        let before = &self.rules[0].before;
        let coordinates = before.iter().map(|id| self.coordinate(iteration, *id, place));
        let coordinates = coordinates.collect::<Done<Vec<VariableId>>>()?;
        let attached = iteration.steps.iter().find_map(|step| match step {
            Step::Attached(running, parent) if before.contains(&running.iterator) || before.contains(parent) => {
                Some(running.place.0)
            }
            Step::Attached(..) | Step::One(_) | Step::Fused(_) => None,
        });
        if let Some(place) = attached {
            let told = illegal(place, "an attached iterator cannot be decomposed");
            return Err(Box::new(told.help("decompose a buffer over other iterators")));
        }
        let buffers = self.buffers();
        if let Some(first) = iteration.init.iter().find(|statement| touches(statement, &buffers)) {
            let told = illegal(first.place.0, "the initialization uses a decomposed buffer");
            return Err(Box::new(told.help("initialize with a value of its own")));
        }
        let sum = Sum { buffers: &buffers, coordinates: &coordinates };
        iteration.body.iter().try_for_each(|statement| sum.statement(statement))?;
        Ok(coordinates)
    }

    fn coordinate(&self, iteration: &Iteration, id: IteratorId, place: Span) -> Done<VariableId> {
        let running = iteration.running().find(|running| running.iterator == id);
        running.map(|running| running.variable).ok_or_else(|| {
            let name = &self.function.iterator(id).name;
            let told = illegal(place, format!("the iteration does not run over `{name}`, which is decomposed"));
            Box::new(told.help("iterate over all iterators of the buffer"))
        })
    }
}

impl Sum<'_> {
    fn statement(&self, statement: &Statement) -> Done<()> {
        match &statement.kind {
            StatementKind::Store(target, value) => self.store(target, value),
            StatementKind::If { condition, then, otherwise } if !reads(condition, self.buffers) => {
                then.iter().chain(otherwise).try_for_each(|inner| self.statement(inner))
            }
            StatementKind::If { .. }
            | StatementKind::Iteration(_)
            | StatementKind::Block(_)
            | StatementKind::Loop(_)
            | StatementKind::While(..)
            | StatementKind::Let(..)
            | StatementKind::Evaluate(_)
            | StatementKind::Intrinsic(_)
            | StatementKind::Assert(..)
            | StatementKind::Allocate(_)
            | StatementKind::Domain(..) => {
                let told = illegal(statement.place.0, "only sums are decomposed, and this is another statement");
                Err(Box::new(told.help("write the iteration as `C[i, k] = C[i, k] + A[i, j] * B[j, k]`")))
            }
        }
    }

    fn store(&self, target: &Access, value: &Expr) -> Done<()> {
        if self.buffers.contains(&target.buffer) {
            let told = illegal(target.place.0, "a decomposed buffer is written");
            return Err(Box::new(told.help("only what is read is stored in parts")));
        }
        if target.indices.iter().any(|index| reads(index, self.buffers)) {
            return Err(Box::new(illegal(target.place.0, "a decomposed buffer finds the element that is written")));
        }
        let (own, others): (Vec<Term<'_>>, Vec<Term<'_>>) =
            terms(value, true).into_iter().partition(|(term, is_added)| *is_added && is_load_of(term, target));
        if own.len() != 1 || others.iter().any(|(term, _)| reads(term, &[target.buffer])) {
            let told = illegal(target.place.0, "this is no sum: each part would write the element anew");
            return Err(Box::new(told.help("add to the element: `C[i, k] = C[i, k] + A[i, j] * B[j, k]`")));
        }
        others.into_iter().try_for_each(|(term, _)| self.term(term))
    }

    fn term(&self, term: &Expr) -> Done<()> {
        let own = loads_of(term).into_iter().filter(|access| self.buffers.contains(&access.buffer));
        if let Some(access) = own.into_iter().find(|access| !self.is_own(access)) {
            let told = illegal(access.place.0, "this element is not where the iteration is");
            return Err(Box::new(told.help("a decomposed buffer is read at the coordinates of its own iterators")));
        }
        if self.vanishes(term) {
            return Ok(());
        }
        let told =
            illegal(term.place.0, "this term is not 0 where nothing is stored: the padding of a part would count");
        Err(Box::new(told.help("a term has an element of the decomposed buffer as a factor")))
    }

    fn is_own(&self, access: &Access) -> bool {
        access.indices.len() == self.coordinates.len() && { access.indices.iter().zip(self.coordinates) }
            .all(|(index, own)| index.as_variable() == Some(*own))
    }

    /// Whether a term is 0 where the decomposed elements are.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of other expressions that is not known")]
    fn vanishes(&self, term: &Expr) -> bool {
        match term.kind() {
            ExprKind::Load(access) => self.buffers.contains(&access.buffer),
            ExprKind::Cast(inner) | ExprKind::Unary(Unary::Negate, inner) => self.vanishes(inner),
            ExprKind::Binary(Binary::Multiply, one, other) => self.vanishes(one) || self.vanishes(other),
            ExprKind::Binary(Binary::Divide, one, _) => self.vanishes(one),
            ExprKind::Binary(Binary::Add | Binary::Subtract, one, other) => self.vanishes(one) && self.vanishes(other),
            ExprKind::Choice { parts, .. } => self.vanishes(&parts[1]) && self.vanishes(&parts[2]),
            _ => false,
        }
    }
}

/// A term, and whether it is added.
type Term<'e> = (&'e Expr, bool);

/// The terms of a sum.
#[expect(clippy::wildcard_enum_match_arm, reason = "any other expression is one term")]
fn terms(value: &Expr, is_added: bool) -> Vec<Term<'_>> {
    match value.kind() {
        ExprKind::Binary(Binary::Add, one, other) => [terms(one, is_added), terms(other, is_added)].concat(),
        ExprKind::Binary(Binary::Subtract, one, other) => [terms(one, is_added), terms(other, !is_added)].concat(),
        _ => vec![(value, is_added)],
    }
}

fn is_load_of(expr: &Expr, target: &Access) -> bool {
    matches!(expr.kind(), ExprKind::Load(access) if access == target)
}
