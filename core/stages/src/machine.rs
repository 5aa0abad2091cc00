//! What is known while a function runs.

use std::collections::HashMap;

use nnz_base::{arrays::Values, element::Scalar, memory, source::Span};
use nnz_tir::{
    arrays::is_last,
    model::{Access, Buffer, Function, Iteration, IteratorId, IteratorKind, Layout, VariableId},
    resolve::How,
};

use crate::{
    closed::count,
    fault::{Done, endless, failed},
    structure::{Extent, Level},
};

pub(crate) struct Machine<'f> {
    pub(crate) function: &'f Function,
    pub(crate) scalars: Vec<Option<Scalar>>,
    pub(crate) levels: Vec<Level>,
    /// Whether elements are named by positions, as at stage II.
    pub(crate) at_positions: bool,
    /// Of each buffer that lives.
    pub(crate) memory: Vec<Option<Values>>,
    /// The iterations around, outermost first.
    pub(crate) around: Vec<&'f Iteration>,
    /// Where their iterators are.
    pub(crate) here: Vec<Here>,
    /// How the elements of statements are found, by their places in memory.
    pub(crate) found: HashMap<*const Access, Vec<How>>,
    /// Statements that may still run.
    pub(crate) steps: u64,
}

/// Where an iterator is.
#[derive(Clone, Copy)]
pub(crate) struct Here {
    pub(crate) iterator: IteratorId,
    /// Counted over all parents.
    pub(crate) position: u64,
    pub(crate) variable: VariableId,
}

impl<'f> Machine<'f> {
    pub(crate) fn step(&mut self, place: Span) -> Done<()> {
        self.steps = self.steps.checked_sub(1).ok_or_else(|| endless(place))?;
        Ok(())
    }

    /// How many elements a buffer has.
    pub(crate) fn size(&self, buffer: &Buffer) -> Done<u64> {
        let factors = match &buffer.layout {
            Layout::Dense(dense) => {
                let sizes = dense.shape.iter().map(|size| count(self.function, &self.scalars, size));
                sizes.collect::<Done<Vec<u64>>>()?
            }
            Layout::Sparse(sparse) => {
                let ids = &sparse.iterators;
                ids.iter().filter(|id| is_last(self.function, ids, **id)).map(|id| self.factor(*id)).collect()
            }
        };
        let extra = if let Layout::Sparse(sparse) = &buffer.layout { u64::from(sparse.extra) } else { 0 };
        let product = factors.iter().try_fold(1_u64, |product, factor| product.checked_mul(*factor));
        let size = product.and_then(|product| product.checked_add(extra));
        size.ok_or_else(|| Box::new(failed(buffer.place.0, format!("`{}` is larger than any memory", buffer.name))))
    }

    /// How many places the last iterator of a tree adds.
    pub(crate) fn factor(&self, id: IteratorId) -> u64 {
        factor(self.function, &self.levels, id)
    }

    /// New memory for a buffer, of zeros.
    pub(crate) fn zeros(&self, buffer: &Buffer) -> Done<Values> {
        let size = self.size(buffer)?;
        let bytes = buffer.element.bytes() as u64;
        memory::room_for(u128::from(size), bytes).map_err(|refused| {
            Box::new(
                failed(buffer.place.0, format!("`{}` does not fit the memory", buffer.name)).label(refused.to_string()),
            )
        })?;
        Ok(Values::zeros(buffer.element, usize::try_from(size).unwrap_or(usize::MAX)))
    }
}

/// How many places an iterator adds to a buffer that it ends a tree of.
pub(crate) fn factor(function: &Function, levels: &[Level], id: IteratorId) -> u64 {
    let level = &levels[id.index()];
    match (&level.extent, &function.iterator(id).kind) {
        (Extent::Listed(_), _) => level.positions,
        (Extent::Same(columns), IteratorKind::CompressedFixed { .. }) => *columns,
        (Extent::Same(_), _) => level.positions,
    }
}
