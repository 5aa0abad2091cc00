//! Names that nothing else has.

use std::collections::HashSet;

use nnz_tir::model::Function;

pub(super) struct Names(HashSet<String>);

impl Names {
    pub(super) fn of(function: &Function) -> Names {
        let params = function.params.iter().map(|param| param.name.clone());
        let iterators = function.iterators.iter().map(|iterator| iterator.name.clone());
        let buffers = function.buffers.iter().map(|buffer| buffer.name.clone());
        let scalars = function.params.iter().map(|param| param.name.clone());
        let captured = function.captured.iter().map(|id| function.variable(*id).name.clone());
        Names(params.chain(iterators).chain(buffers).chain(scalars).chain(captured).collect())
    }
    /// The name, or it with a number; known from here on.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        let numbered = (1..).map(|number| format!("{name}_{number}"));
        let free = std::iter::once(name.to_string()).chain(numbered).find(|name| !self.0.contains(name));
        let free = free.unwrap_or_else(|| name.to_string());
        self.0.insert(free.clone());
        free
    }
    /// The name of a variable, which others may have elsewhere.
    pub(super) fn of_variable(&self, name: &str) -> String {
        let numbered = (1..).map(|number| format!("{name}_{number}"));
        let free = std::iter::once(name.to_string()).chain(numbered).find(|name| !self.0.contains(name));
        free.unwrap_or_else(|| name.to_string())
    }
}
