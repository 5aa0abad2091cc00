//! Names that nothing else has.

use std::collections::HashSet;

use nnz_tir::model::Function;

pub(crate) struct Names {
    declared: HashSet<String>,
    /// Names of variables: several may have one.
    variables: HashSet<String>,
}

impl Names {
    pub(crate) fn of(function: &Function) -> Names {
        let params = function.params.iter().map(|param| param.name.clone());
        let iterators = function.iterators.iter().map(|iterator| iterator.name.clone());
        let buffers = function.buffers.iter().map(|buffer| buffer.name.clone());
        let captured = function.captured.iter().map(|id| function.variable(*id).name.clone());
        let variables = function.variables.iter().map(|variable| variable.name.clone());
        Names {
            declared: params.chain(iterators).chain(buffers).chain(captured).collect(),
            variables: variables.collect(),
        }
    }
    /// The name, or it with a number; known from here on.
    pub(crate) fn fresh(&mut self, name: &str) -> String {
        let free = numbered(name, |name| self.is_taken(name));
        self.declared.insert(free.clone());
        free
    }
    /// The name of a loop, which others may have elsewhere.
    pub(super) fn of_loop(&self, name: &str) -> String {
        numbered(name, |name| self.declared.contains(name))
    }
    /// The same, and not one of those beside it.
    pub(crate) fn of_loop_beside(&self, name: &str, beside: &[&str]) -> String {
        numbered(name, |name| self.declared.contains(name) || beside.contains(&name))
    }
    /// The name of a variable of a block, which other blocks may have.
    pub(super) fn of_block(&self, name: &str) -> String {
        numbered(name, |name| self.is_taken(name))
    }
    fn is_taken(&self, name: &str) -> bool {
        self.declared.contains(name) || self.variables.contains(name)
    }
}

/// The first of the name and it with numbers that is not taken.
fn numbered(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let others = (1..).map(|number| format!("{name}_{number}"));
    let mut all = std::iter::once(name.to_string()).chain(others);
    all.find(|name| !is_taken(name)).unwrap_or_else(|| name.to_string())
}
