//! Searches among stored coordinates, before the statement that needs them.

use nnz_base::element::Element;
use nnz_tir::{
    model::{Access, Binary, BufferId, Expr, IteratorId, Place, Statement, StatementKind},
    sites::loads_of,
};

use super::{
    Fused, Lowering,
    cells::{Cell, binary, during, when, with_int},
};
use crate::fault::Done;

/// What is known, and where.
pub(super) struct Search {
    of: Sought,
    found: Cell,
}

#[derive(PartialEq)]
enum Sought {
    /// The position of a coordinate below those above, where a condition holds.
    Coordinate(IteratorId, Vec<Expr>, Expr, Option<Expr>),
    /// The position of a fused iterator below which another lies.
    Held(IteratorId, Expr),
    Value(Expr),
}

/// Between which places a search goes on, and what is in the middle.
struct Bounds {
    low: Cell,
    high: Cell,
    middle: Cell,
}

impl<'f> Lowering<'f> {
    /// What `make` gives, and the searches that have to run before it.
    pub(super) fn with_searches<T>(&mut self, make: impl FnOnce(&mut Self) -> Done<T>) -> Done<(T, Vec<Statement>)> {
        let (before, searches) = (std::mem::take(&mut self.before), std::mem::take(&mut self.searches));
        let made = make(self)?;
        self.searches = searches;
        Ok((made, std::mem::replace(&mut self.before, before)))
    }

    /// The position of a coordinate below those above, -1 where it is not stored. It is searched for only where `given`
    /// holds.
    pub(super) fn search(
        &mut self,
        id: IteratorId,
        above: Vec<Expr>,
        (sought, given): (Expr, Option<Expr>),
    ) -> Done<Expr> {
        let of = Sought::Coordinate(id, above.clone(), sought.clone(), given.clone());
        if let Some(known) = self.known_search(&of) {
            return Ok(known);
        }
        let (place, element) = (sought.place, self.lowered.iterator(id).width.element());
        let found = self.cell("mid_0", element, place);
        self.before.push(found.set_int(-1));
        let kept = self.kept(sought)?;
        let bounds = self.bounds(element, place);
        let extent = self.extent(id, above.clone(), place)?;
        let steps = match self.lowered.iterator(id).is_varied() {
            true => self.halving(id, &above, kept, (&bounds, extent, found))?,
            false => self.one_by_one(id, &above, kept, (&bounds, extent, found))?,
        };
        match given {
            Some(given) => self.before.push(when(given, steps, Vec::new())),
            None => self.before.extend(steps),
        }
        self.searches.push(Search { of, found });
        Ok(found.value())
    }

    fn known_search(&self, of: &Sought) -> Option<Expr> {
        self.searches.iter().find(|search| search.of == *of).map(|search| search.found.value())
    }

    /// An expression that can stand several times: one that reads memory is computed once.
    pub(super) fn kept(&mut self, expr: Expr) -> Done<Expr> {
        if loads_of(&expr).is_empty() {
            return Ok(expr);
        }
        let of = Sought::Value(expr.clone());
        if let Some(known) = self.known_search(&of) {
            return Ok(known);
        }
        let found = self.cell("sought_0", expr.element(), expr.place);
        self.before.push(found.set(expr));
        self.searches.push(Search { of, found });
        Ok(found.value())
    }

    fn bounds(&mut self, element: Element, place: Place) -> Bounds {
        let low = self.cell("low_0", element, place);
        let high = self.cell("high_0", element, place);
        Bounds { low, high, middle: self.cell("middle_0", element, place) }
    }

    /// Ascending coordinates: half of them at a time.
    fn halving(
        &mut self,
        id: IteratorId,
        above: &[Expr],
        sought: Expr,
        (bounds, extent, found): (&Bounds, Expr, Cell),
    ) -> Done<Vec<Statement>> {
        let Bounds { low, high, middle } = bounds;
        let here = self.stored(id, above, middle.value());
        let behind = when(
            binary(Binary::Less, here.clone(), sought.clone())?,
            vec![low.set(with_int(Binary::Add, middle.value(), 1)?)],
            vec![
                high.set(middle.value()),
                when(binary(Binary::Equal, here, sought)?, vec![found.set(middle.value())], Vec::new()),
            ],
        );
        let body = vec![middle.set(halfway(*low, *high)?), behind];
        Ok(vec![low.set_int(0), high.set(extent), during(binary(Binary::Less, low.value(), high.value())?, body)])
    }

    /// Rows of a fixed length, whose padding is in no order.
    fn one_by_one(
        &mut self,
        id: IteratorId,
        above: &[Expr],
        sought: Expr,
        (Bounds { low, high, .. }, extent, found): (&Bounds, Expr, Cell),
    ) -> Done<Vec<Statement>> {
        let here = self.stored(id, above, low.value());
        let hit = when(
            binary(Binary::Equal, here, sought)?,
            vec![found.set(low.value()), low.set(high.value())],
            vec![low.set(with_int(Binary::Add, low.value(), 1)?)],
        );
        let goes_on = binary(Binary::Less, low.value(), high.value())?;
        Ok(vec![low.set_int(0), high.set(extent), during(goes_on, vec![hit])])
    }

    /// The coordinate at a position below those above.
    fn stored(&self, id: IteratorId, above: &[Expr], at: Expr) -> Expr {
        let element = self.lowered.iterator(id).width.element();
        let place = at.place;
        let indices = above.iter().cloned().chain([at]).collect();
        let buffer = self.structure.arrays[id.index()].indices.unwrap_or(BufferId::new(0));
        Expr::load(Access { place, buffer, indices }, element)
    }

    /// The position of an iterator without a loop of its own, over all parents: the last whose positions below begin no
    /// later than where the loop is.
    pub(super) fn held(&mut self, id: IteratorId, below: IteratorId, place: Place) -> Done<Expr> {
        let sought = match self.running(below, place)?.fused {
            Fused::Held(next) => self.held(below, next, place)?,
            Fused::No | Fused::Last => self.variable_of(below, place)?,
        };
        let of = Sought::Held(id, sought.clone());
        if let Some(known) = self.known_search(&of) {
            return Ok(known);
        }
        let bounds = self.bounds(self.lowered.iterator(id).width.element(), place);
        let steps = self.last_before((id, below), sought, &bounds)?;
        self.before.extend(steps);
        self.searches.push(Search { of, found: bounds.low });
        Ok(bounds.low.value())
    }

    fn last_before(
        &mut self,
        (id, below): (IteratorId, IteratorId),
        sought: Expr,
        Bounds { low, high, middle }: &Bounds,
    ) -> Done<Vec<Statement>> {
        let place = sought.place;
        let count = self.lowered.count(id).ok_or_else(|| self.not_running(id, place.0))?;
        let mut above = self.parents(id, None, place)?;
        above.push(middle.value());
        let start = self.start(below, above, place)?;
        let step = when(
            binary(Binary::LessEqual, start, sought)?,
            vec![low.set(middle.value())],
            vec![high.set(middle.value())],
        );
        let body = vec![middle.set(halfway(*low, *high)?), step];
        let distance = binary(Binary::Subtract, high.value(), low.value())?;
        let goes_on = with_int(Binary::Greater, distance, 1)?;
        Ok(vec![low.set_int(0), high.set(count), during(goes_on, body)])
    }

    /// A value of a choice: what it needs is searched for only where it is chosen.
    pub(super) fn chosen(&mut self, condition: Expr, part: &'f Expr) -> Done<Expr> {
        use super::rewrite::Rewrite;
        let outside = std::mem::take(&mut self.before);
        let known = self.searches.len();
        let part = self.expr(part)?;
        self.searches.truncate(known);
        let own = std::mem::replace(&mut self.before, outside);
        let is_cell = |statement: &Statement| matches!(statement.kind, StatementKind::Allocate(_));
        let (cells, steps): (Vec<Statement>, Vec<Statement>) = own.into_iter().partition(is_cell);
        self.before.extend(cells);
        if !steps.is_empty() {
            self.before.push(when(condition, steps, Vec::new()));
        }
        Ok(part)
    }
}

fn halfway(low: Cell, high: Cell) -> Done<Expr> {
    let distance = binary(Binary::Subtract, high.value(), low.value())?;
    binary(Binary::Add, low.value(), with_int(Binary::FloorDivide, distance, 2)?)
}
