//! Expressions over positions.

use nnz_base::{diagnostic::Diagnostic, element::Element, source::Span};
use nnz_tir::{
    model::{
        Access, Binary, Expr, IteratorId, IteratorKind, Loop, Place, Region, Role, Statement, StatementKind, VariableId,
    },
    resolve::runs,
};

use super::{
    Fused, Lowering, Position,
    cells::{binary, during, when, with_int},
    rewrite::Rewrite,
};
use crate::fault::{Done, unread};

impl<'f> Rewrite<'f> for Lowering<'f> {
    /// A coordinate as a value, or another variable.
    fn variable(&mut self, expr: &'f Expr) -> Done<Expr> {
        let coordinate = expr.as_variable().filter(|id| self.function.variable(*id).role == Role::Iteration);
        coordinate.map_or(Ok(expr.clone()), |id| self.coordinate(id, expr.place))
    }

    fn load(&mut self, access: &'f Access, element: Element) -> Done<Expr> {
        self.value_of(access, element)
    }

    fn store(&mut self, target: &'f Access, value: &'f Expr) -> Done<StatementKind> {
        self.stored_value(target, value)
    }

    /// Regions of coordinates are none of positions.
    fn regions(&mut self, _: &'f [Region]) -> Done<Option<Vec<Region>>> {
        Ok(None)
    }

    fn parts(&mut self, lazy: bool, [condition, one, other]: &'f [Expr; 3]) -> Done<[Expr; 3]> {
        let holds = self.expr(condition)?;
        if !lazy {
            return Ok([holds, self.expr(one)?, self.expr(other)?]);
        }
        let place = holds.place;
        let one = self.chosen(holds.clone(), one)?;
        let fails = Expr::unary(place, nnz_tir::model::Unary::Not, holds.clone());
        let fails = fails.map_err(|_| unread(place.0, "this is no condition").label("of another type"))?;
        let other = self.chosen(fails, other)?;
        Ok([holds, one, other])
    }

    /// A statement behind what it searches for.
    fn special(&mut self, statement: &'f Statement) -> Done<Option<Vec<Statement>>> {
        let (made, before) = self.with_searches(|lowering| lowering.one(statement))?;
        Ok(Some([before, made].concat()))
    }
}

impl<'f> Lowering<'f> {
    fn one(&mut self, statement: &'f Statement) -> Done<Vec<Statement>> {
        if let StatementKind::While(condition, body) = &statement.kind {
            return self.repeated(condition, body, statement.place);
        }
        if let StatementKind::Block(block) = &statement.kind
            && let Some(predicate) = &block.predicate
        {
            let (_, before) = self.with_searches(|lowering| lowering.expr(predicate))?;
            return match before.first() {
                None => Ok(vec![self.statement(statement)?]),
                Some(_) => Err(Box::new(
                    unread(predicate.place.0, "a search within `T.where` is not lowered").help("use `if`"),
                )),
            };
        }
        match statement.iteration() {
            Some(iteration) => self.iteration(iteration, statement.place),
            None => self.within_loop(statement),
        }
    }

    fn within_loop(&mut self, statement: &'f Statement) -> Done<Vec<Statement>> {
        let own: Option<&'f Loop> = if let StatementKind::Loop(one) = &statement.kind { Some(one) } else { None };
        self.loops.extend(own);
        let lowered = self.statement(statement)?;
        self.loops.truncate(self.loops.len() - usize::from(own.is_some()));
        Ok(vec![lowered])
    }

    /// A loop whose condition is searched for each time.
    fn repeated(&mut self, condition: &'f Expr, body: &'f [Statement], place: Place) -> Done<Vec<Statement>> {
        let (condition, mut each) = self.with_searches(|lowering| lowering.expr(condition))?;
        let body = self.statements(body)?;
        if each.is_empty() {
            return Ok(vec![during(condition, body)]);
        }
        let again = self.cell("again_0", Element::I32, place);
        each.push(when(condition, body, vec![again.set_int(0)]));
        Ok(vec![again.set_int(1), during(with_int(Binary::NotEqual, again.value(), 0)?, each)])
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
        let element = self.lowered.iterator(id).width.element();
        if let Some(buffer) = self.structure.arrays[id.index()].indices {
            let indices = self.chain(id, None, place)?;
            return Ok(Expr::load(Access { place, buffer, indices }, element));
        }
        self.local(id, place)
    }

    /// The position below the parent, also of a fused iterator.
    pub(super) fn local(&mut self, id: IteratorId, place: Place) -> Done<Expr> {
        let own = self.own(id, None, place)?;
        let is_below = self.running(id, place)?.fused != Fused::No && self.lowered.iterator(id).is_varied();
        match self.lowered.iterator(id).parent().filter(|_| is_below) {
            Some(parent) => {
                let above = self.chain(parent, None, place)?;
                binary(Binary::Subtract, own, self.start(id, above, place)?)
            }
            None => Ok(own),
        }
    }

    pub(super) fn not_running(&self, id: IteratorId, place: Span) -> Box<Diagnostic> {
        Box::new(unread(place, format!("`{}` does not run here", self.lowered.iterator(id).name)))
    }

    pub(super) fn running(&self, id: IteratorId, place: Place) -> Done<Position> {
        self.positions.get(&id).copied().ok_or_else(|| self.not_running(id, place.0))
    }

    /// The variable of the block that an iterator runs in.
    pub(super) fn variable_of(&self, id: IteratorId, place: Place) -> Done<Expr> {
        let variable = self.running(id, place)?.variable;
        Ok(Expr::variable(place, variable, self.lowered.iterator(id).width.element()))
    }

    /// The position of an iterator below its parent. Of a fused one it is the first where the child that is `below` it
    /// counts its positions, too.
    pub(super) fn own(&mut self, id: IteratorId, below: Option<IteratorId>, place: Place) -> Done<Expr> {
        match self.running(id, place)?.fused {
            Fused::Held(child) if below != Some(child) => self.held(id, child, place),
            Fused::Held(_) | Fused::No | Fused::Last => self.variable_of(id, place),
        }
    }

    /// The positions of an iterator that runs and of its ancestors, each below its parent.
    pub(super) fn chain(&mut self, id: IteratorId, below: Option<IteratorId>, place: Place) -> Done<Vec<Expr>> {
        let attached = self.running(id, place)?.attached;
        let mut positions = self.parents(id, attached, place)?;
        positions.push(self.own(id, below, place)?);
        Ok(positions)
    }

    /// The positions of the ancestors of an iterator.
    pub(super) fn parents(&mut self, id: IteratorId, attached: Option<IteratorId>, place: Place) -> Done<Vec<Expr>> {
        match (attached, self.lowered.iterator(id).parent()) {
            (Some(other), _) => Ok(vec![self.coordinate_of(other, place)?]),
            (None, Some(parent)) => self.chain(parent, Some(id), place),
            (None, None) => Ok(Vec::new()),
        }
    }

    /// What the positions of an iterator below one of its parent never reach.
    pub(super) fn bound(&self, id: IteratorId) -> Expr {
        let iterator = self.lowered.iterator(id);
        match &iterator.kind {
            IteratorKind::CompressedFixed { columns, .. } => columns.clone(),
            // Coordinates in no order may stand several times.
            IteratorKind::CompressedVaried { count, sorted: false, .. } => count.clone(),
            IteratorKind::DenseFixed
            | IteratorKind::DenseVaried { .. }
            | IteratorKind::CompressedVaried { .. }
            | IteratorKind::Flatten { .. } => iterator.length.clone(),
        }
    }

    /// How many positions an iterator has below those of its ancestors.
    pub(super) fn extent(&self, id: IteratorId, above: Vec<Expr>, place: Place) -> Done<Expr> {
        if !self.lowered.iterator(id).is_varied() {
            return Ok(self.bound(id));
        }
        let mut behind = above.clone();
        let last = behind.pop().ok_or_else(|| self.not_running(id, place.0))?;
        behind.push(with_int(Binary::Add, last, 1)?);
        binary(Binary::Subtract, self.start(id, behind, place)?, self.start(id, above, place)?)
    }

    /// Where the positions of a varied iterator begin.
    pub(super) fn start(&self, id: IteratorId, above: Vec<Expr>, place: Place) -> Done<Expr> {
        let indptr = self.structure.arrays[id.index()].indptr.ok_or_else(|| self.not_running(id, place.0))?;
        let element = self.lowered.iterator(id).width.element();
        Ok(Expr::load(Access { place, buffer: indptr, indices: above }, element))
    }
}
