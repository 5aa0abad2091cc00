//! Elements by positions, and when they are stored.

use nnz_tir::{
    model::{Access, Binary, Expr, IteratorId, IteratorKind, Layout, StatementKind},
    resolve::{How, resolve},
};

use super::{
    Fused, Lowering,
    cells::{binary, both, when, with_int},
    rewrite::Rewrite,
};
use crate::fault::{Done, unread};

/// An element of the lowered function.
pub(super) struct Element {
    access: Access,
    /// When it is stored; `None` if it always is.
    stored: Option<Expr>,
}

impl<'f> Lowering<'f> {
    /// The value of an element, or the default where it is not stored.
    pub(super) fn value_of(&mut self, access: &'f Access, element: nnz_base::element::Element) -> Done<Expr> {
        let Element { access: lowered, stored } = self.element(access)?;
        let load = Expr::load(lowered, element);
        let Some(stored) = stored.filter(|stored| !self.known.contains(stored)) else { return Ok(load) };
        let place = access.place;
        let default = match &self.function.buffer(access.buffer).layout {
            Layout::Sparse(sparse) => sparse.default.as_ref(),
            Layout::Dense(_) => None,
        };
        let default = match default {
            Some(default) => self.expr(default)?.into_type(element),
            None if load.is_condition() => Expr::bool(place, false),
            None => Expr::int(place, 0, element),
        };
        Expr::choice(place, true, [stored, load, default])
            .map_err(|_| Box::new(unread(place.0, "the default has another type").label("no such value")))
    }

    /// A store, which does nothing where the element is not stored.
    pub(super) fn stored_value(&mut self, target: &'f Access, value: &'f Expr) -> Done<StatementKind> {
        let Element { access, stored } = self.element(target)?;
        let Some(stored) = stored else { return Ok(StatementKind::Store(access, self.expr(value)?)) };
        let outside = std::mem::take(&mut self.before);
        self.known.push(stored.clone());
        let value = self.expr(value)?;
        self.known.pop();
        let mut then = std::mem::replace(&mut self.before, outside);
        then.push(nnz_tir::model::Statement { place: target.place, kind: StatementKind::Store(access, value) });
        Ok(when(stored, then, Vec::new()).kind)
    }

    fn element(&mut self, access: &'f Access) -> Done<Element> {
        let found = resolve(self.function, &self.around, access);
        let (place, buffer) = (access.place, access.buffer);
        let mut element = Element { access: Access { place, buffer, indices: Vec::new() }, stored: None };
        let is_branching = self.is_branching(access);
        for at in 0..access.indices.len() {
            let (id, how) = (self.iterator_at(access, at), found.get(at));
            let index = match (id, how) {
                (Some(id), Some(How::Matched)) if is_branching => self.local(id, place)?,
                (Some(id), Some(How::Matched)) => self.own(id, self.matched_below(access, &found, (at, id)), place)?,
                (Some(id), Some(How::Dense | How::Searched)) => {
                    self.looked_for((access, at), (id, &found), &mut element)?
                }
                (None, _) | (_, None) => self.expr(&access.indices[at])?,
            };
            element.access.indices.push(index);
        }
        Ok(element)
    }

    /// Whether a dimension hangs off a fused iterator beside the child that the loop runs over: then both need the position
    /// of that iterator.
    fn is_branching(&self, access: &Access) -> bool {
        let iterators = || (0..access.indices.len()).filter_map(|at| self.iterator_at(access, at));
        let child = |id: IteratorId| match self.positions.get(&id)?.fused {
            Fused::Held(child) => Some((id, child)),
            Fused::No | Fused::Last => None,
        };
        let hangs_beside = |(id, child): (IteratorId, IteratorId)| {
            iterators().any(|other| {
                let path = self.lowered.path(other);
                other != id && path.contains(&id) && !path.contains(&child)
            })
        };
        iterators().filter_map(child).any(hangs_beside)
    }

    /// The iterator of a dimension, by its number in the lowered function.
    fn iterator_at(&self, access: &Access, at: usize) -> Option<IteratorId> {
        let id = self.function.buffer(access.buffer).iterators().get(at)?;
        Some(self.structure.moved[id.index()].0)
    }

    /// The child of a fused iterator that counts its positions, too, if it is matched as well.
    fn matched_below(&self, access: &Access, found: &[How], (at, id): (usize, IteratorId)) -> Option<IteratorId> {
        let Some(Fused::Held(below)) = self.positions.get(&id).map(|position| position.fused) else { return None };
        let is_it = |at: &usize| found[*at] == How::Matched && self.iterator_at(access, *at) == Some(below);
        (at + 1..found.len()).find(is_it).map(|_| below)
    }

    /// The position of a coordinate that is not that of a loop. From here on the element is stored only where that is.
    fn looked_for(
        &mut self,
        (access, at): (&'f Access, usize),
        (id, found): (IteratorId, &[How]),
        element: &mut Element,
    ) -> Done<Expr> {
        let index = &access.indices[at];
        let above = self.above_in((access, found), element, id)?;
        let end = match (&self.lowered.iterator(id).kind, above) {
            (IteratorKind::CompressedFixed { .. } | IteratorKind::CompressedVaried { .. }, Some(above)) => {
                let sought = self.expr(index)?;
                let position = self.search(id, above, (sought, element.stored.take()))?;
                element.stored = Some(with_int(Binary::GreaterEqual, position.clone(), 0)?);
                return Ok(position);
            }
            (IteratorKind::DenseVaried { .. }, Some(above)) => self.extent(id, above, index.place)?,
            _ => self.bound(id),
        };
        self.counted(index, end, element)
    }

    /// A coordinate that is a position as it is, below an end.
    fn counted(&mut self, index: &'f Expr, end: Expr, element: &mut Element) -> Done<Expr> {
        let (from_zero, below) = (self.is_from_zero(index), self.is_below(index, &end));
        let position = self.expr(index)?;
        if from_zero && below {
            return Ok(position);
        }
        let position = self.kept(position)?;
        let least = with_int(Binary::GreaterEqual, position.clone(), 0)?;
        let most = binary(Binary::Less, position.clone(), end)?;
        let fits = match (from_zero, below) {
            (true, _) => most,
            (false, true) => least,
            (false, false) => binary(Binary::And, least, most)?,
        };
        element.stored = Some(both(element.stored.take(), fits)?);
        Ok(position)
    }

    /// The positions of the ancestors in an element; `None` if the parent is no dimension of it.
    fn above_in(
        &mut self,
        (access, found): (&Access, &[How]),
        element: &Element,
        id: IteratorId,
    ) -> Done<Option<Vec<Expr>>> {
        let Some(parent) = self.lowered.iterator(id).parent() else { return Ok(None) };
        match self.dimension_of(access, parent).filter(|at| *at < element.access.indices.len()) {
            None => Ok(None),
            Some(_) => self.path_in((access, found), element, parent).map(Some),
        }
    }

    /// The positions of an iterator and its ancestors in an element; of those that are no dimensions the first.
    fn path_in(&mut self, (access, found): (&Access, &[How]), element: &Element, id: IteratorId) -> Done<Vec<Expr>> {
        let at = self.dimension_of(access, id).filter(|at| *at < element.access.indices.len());
        if at.and_then(|at| found.get(at)) == Some(&How::Matched) {
            return self.chain(id, None, access.place);
        }
        let mut path = match self.lowered.iterator(id).parent() {
            Some(parent) => self.path_in((access, found), element, parent)?,
            None => Vec::new(),
        };
        let zero = || Expr::int(access.place, 0, self.lowered.iterator(id).width.element());
        path.push(at.map_or_else(zero, |at| element.access.indices[at].clone()));
        Ok(path)
    }

    fn dimension_of(&self, access: &Access, id: IteratorId) -> Option<usize> {
        (0..access.indices.len()).find(|at| self.iterator_at(access, *at) == Some(id))
    }
}
