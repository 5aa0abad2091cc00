//! A function from its arrays to its results.

use std::collections::HashMap;

use nnz_base::diagnostic::Diagnostic;
use nnz_tir::{
    arrays::is_last,
    model::{BufferId, Function, Layout, Origin, Stage},
};

use crate::{
    array::{Array, Arrays},
    bind::{levels, scalars, written},
    closed::count,
    fault::{Done, unread},
    machine::Machine,
};

/// How long a function may run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Statements and points.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1 << 32 }
    }
}

/// Runs a function of any stage over arrays, which have the names of its parameters or buffers. Gives the arrays that it
/// writes.
///
/// # Errors
/// An array that is missing or does not fit; what a running function must not do; what does not run yet.
pub fn run(function: &Function, arrays: &Arrays, limits: Limits) -> Result<Arrays, Box<Diagnostic>> {
    let mut machine = bound(function, arrays, limits)?;
    machine.statements(&function.body)?;
    machine.results(arrays)
}

/// Checks that arrays fit the structure of a function's iterators: what a function is lowered to has no iterators.
///
/// # Errors
/// An array that is missing or does not fit.
pub fn check_structure(function: &Function, arrays: &Arrays) -> Result<(), Box<Diagnostic>> {
    levels(function, &scalars(function, arrays)?, arrays).map(drop)
}

/// A function with its arrays, before its first statement.
pub(crate) fn bound<'f>(function: &'f Function, arrays: &Arrays, limits: Limits) -> Done<Machine<'f>> {
    if function.stage().is_none() {
        let told = unread(function.place.0, format!("`{}` does not say its stage", function.name));
        return Err(Box::new(told.label("no `sparse_tir_level`")));
    }
    let scalars = scalars(function, arrays)?;
    let levels = levels(function, &scalars, arrays)?;
    let mut machine = Machine {
        function,
        scalars,
        levels,
        at_positions: function.stage() == Some(Stage::II),
        memory: vec![None; function.buffers.len()],
        around: Vec::new(),
        here: Vec::new(),
        found: HashMap::new(),
        steps: limits.steps,
    };
    machine.bind(arrays)?;
    Ok(machine)
}

impl Machine<'_> {
    /// The arrays that were written, by the names of their handles.
    pub(crate) fn results(&mut self, arrays: &Arrays) -> Done<Arrays> {
        let mut results = Arrays::new();
        for id in written(self.function) {
            let buffer = self.function.buffer(id);
            let Origin::Handle(param) = buffer.origin else { continue };
            let name = self.function.param(param).name.clone();
            let given = arrays.get(&name).or_else(|| arrays.get(&buffer.name));
            let shape = match given {
                Some(given) => given.shape.clone(),
                None => self.shape(id)?,
            };
            if let Some(values) = self.memory[id.index()].take() {
                results.insert(name, Array { element: buffer.element, shape, values });
            }
        }
        Ok(results)
    }

    /// The shape of an array that was not given: a dimension for each tree of iterators, as at stage III.
    fn shape(&self, id: BufferId) -> Done<Vec<u64>> {
        let buffer = self.function.buffer(id);
        match &buffer.layout {
            Layout::Dense(dense) => dense.shape.iter().map(|size| count(self.function, &self.scalars, size)).collect(),
            Layout::Sparse(sparse) if sparse.extra == 0 => {
                let ids = &sparse.iterators;
                Ok(ids.iter().filter(|id| is_last(self.function, ids, **id)).map(|id| self.factor(*id)).collect())
            }
            Layout::Sparse(_) => Ok(vec![self.size(buffer)?]),
        }
    }
}
