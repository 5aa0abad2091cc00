//! Where elements of buffers lie.

use nnz_base::{diagnostic::Diagnostic, element::Scalar};
use nnz_tir::{
    arrays::is_last,
    model::{Access, Dense, Function, IteratorId, Layout, Sparse},
    resolve::{How, resolve},
};

use crate::{
    closed::count,
    fault::{Done, failed},
    machine::{Here, Machine},
};

impl<'f> Machine<'f> {
    /// Where an element lies in the memory of its buffer; `None` if it is not stored.
    pub(crate) fn place(&mut self, access: &'f Access) -> Done<Option<usize>> {
        let mut indices = Vec::with_capacity(access.indices.len());
        for index in &access.indices {
            let Scalar::Int(value) = self.value(index)? else { return Ok(None) };
            indices.push(value);
        }
        match &self.function.buffer(access.buffer).layout {
            Layout::Sparse(sparse) if self.at_positions => Ok(self.at_positions(sparse, &indices)),
            Layout::Sparse(sparse) => Ok(self.sparse(access, sparse, &indices)),
            Layout::Dense(dense) => self.dense(access, dense, &indices).map(Some),
        }
    }

    fn sparse(&mut self, access: &'f Access, sparse: &Sparse, indices: &[i128]) -> Option<usize> {
        let found = self.how(access);
        let mut positions: Vec<(IteratorId, u64)> = Vec::with_capacity(indices.len());
        let mut offset = 0_u64;
        for ((id, how), index) in sparse.iterators.iter().zip(&found).zip(indices) {
            let position = match how {
                How::Matched => self.here(*id)?.position,
                How::Dense | How::Searched => self.find(*id, *index, &positions)?,
            };
            positions.push((*id, position));
            if is_last(self.function, &sparse.iterators, *id) {
                offset = offset.checked_mul(self.factor(*id))?.checked_add(self.local(*id, position, &positions))?;
            }
        }
        usize::try_from(offset).ok()
    }

    /// Where an element lies whose positions below their parents are given, one for each iterator.
    fn at_positions(&self, sparse: &Sparse, indices: &[i128]) -> Option<usize> {
        let mut positions: Vec<(IteratorId, u64)> = Vec::with_capacity(indices.len());
        let mut offset = 0_u64;
        for (id, index) in sparse.iterators.iter().zip(indices) {
            let parent = self.function.iterator(*id).parent();
            let above = positions.iter().find(|(known, _)| Some(*known) == parent).map(|(_, position)| *position);
            let start = above.map_or(0, |above| self.levels[id.index()].range(above).start);
            let position = start.checked_add(u64::try_from(*index).ok()?)?;
            positions.push((*id, position));
            if is_last(self.function, &sparse.iterators, *id) {
                offset = offset.checked_mul(self.factor(*id))?.checked_add(self.local(*id, position, &positions))?;
            }
        }
        usize::try_from(offset).ok()
    }

    /// How each coordinate of an element is found. Statements do not move while they run.
    fn how(&mut self, access: &'f Access) -> Vec<How> {
        let (function, around) = (self.function, &self.around);
        self.found.entry(std::ptr::from_ref(access)).or_insert_with(|| resolve(function, around, access)).clone()
    }

    /// Where an iterator of the iterations around is, the innermost first.
    fn here(&self, id: IteratorId) -> Option<Here> {
        self.here.iter().rev().find(|here| here.iterator == id).copied()
    }

    /// The position of a coordinate below those that are found already.
    fn find(&self, id: IteratorId, coordinate: i128, positions: &[(IteratorId, u64)]) -> Option<u64> {
        let parent = self.function.iterator(id).parent();
        let level = &self.levels[id.index()];
        let above = match parent {
            Some(parent) => positions.iter().find(|(known, _)| *known == parent).map(|(_, position)| *position),
            None => Some(0),
        };
        match above {
            Some(above) => level.find(coordinate, level.range(above)),
            // A dimension of its own: the coordinate counts its columns.
            None => u64::try_from(coordinate).ok().filter(|place| *place < self.factor(id)),
        }
    }

    /// The place of a position in its tree: over all parents for a varied iterator, else below its parent.
    fn local(&self, id: IteratorId, position: u64, positions: &[(IteratorId, u64)]) -> u64 {
        let iterator = self.function.iterator(id);
        let has_parent = iterator.parent().is_some_and(|parent| positions.iter().any(|(known, _)| *known == parent));
        if iterator.is_varied() || !has_parent { position } else { position % self.factor(id).max(1) }
    }

    fn dense(&mut self, access: &'f Access, dense: &Dense, indices: &[i128]) -> Done<usize> {
        let mut offset = 0_usize;
        for (size, index) in dense.shape.iter().zip(indices) {
            let size = count(self.function, &self.scalars, size)?;
            let index = u64::try_from(*index).ok().filter(|index| *index < size);
            let Some(index) = index else { return Err(outside(self.function, access, indices)) };
            offset =
                offset * usize::try_from(size).unwrap_or(usize::MAX) + usize::try_from(index).unwrap_or(usize::MAX);
        }
        Ok(offset)
    }
}

pub(crate) fn outside(function: &Function, access: &Access, indices: &[i128]) -> Box<Diagnostic> {
    let name = &function.buffer(access.buffer).name;
    let indices: Vec<String> = indices.iter().map(i128::to_string).collect();
    let told = failed(access.place.0, format!("`{name}[{}]` lies outside of the buffer", indices.join(", ")));
    Box::new(told.label("outside").secondary(function.buffer(access.buffer).place.0, "declared here"))
}
