//! A Python file, read and checked.

use nnz_base::{
    diagnostic::Diagnostic,
    source::{Source, Span},
};

use crate::{
    check::check,
    model::{Decomposition, Function, Schedule, Specialization},
    read::{Read, Text, line, read},
    rules::ruled,
};

/// The functions of a Python file, and what is wrong in it.
pub struct Script {
    pub source: Source,
    pub functions: Vec<Read>,
    pub schedules: Vec<Schedule>,
    pub decompositions: Vec<Decomposition>,
    pub specializations: Vec<Specialization>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Script {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
    /// The function of this name, if nothing is wrong in it.
    pub fn function(&self, name: &str) -> Option<&Function> {
        let read = self.functions.iter().find(|read| read.function.name == name)?;
        let is_wrong = self.diagnostics.iter().any(|one| one.is_error() && within(read.span, one));
        (read.whole && !is_wrong).then_some(&read.function)
    }
}

/// Why a decomposition of a function without mistakes is not legal.
fn wrong_rule(decomposition: &Decomposition, functions: &[Read]) -> Option<Diagnostic> {
    let read = functions.iter().find(|read| read.function.name == decomposition.function && read.whole)?;
    ruled(decomposition, &read.function, functions).err().map(|told| *told)
}

fn within(span: Span, told: &Diagnostic) -> bool {
    span.touches(told.primary.span.start as usize)
}

/// Reads and checks a text. One without a function of SparseTIR has no mistakes. On a line that is no Python nothing else
/// is told, and a function with such a line is read and not checked.
pub fn script(source: &Source) -> Script {
    let Text { functions, schedules, decompositions, specializations, syntax, told } = read(source);
    let lines: Vec<u32> = syntax.iter().map(|one| line(source, one)).collect();
    let is_whole = |read: &&Read| !syntax.iter().any(|one| within(read.span, one));
    let checked = functions.iter().filter(is_whole).flat_map(|read| check(source, read));
    let wrong = decompositions.iter().filter_map(|one| wrong_rule(one, &functions));
    let mut around: Vec<Diagnostic> = told.into_iter().chain(wrong).collect();
    around.iter_mut().for_each(|told| told.places_mut().for_each(|(file, _)| *file = source.id));
    let others = around.into_iter().chain(checked.collect::<Vec<_>>());
    let others: Vec<Diagnostic> = others.filter(|one| !lines.contains(&line(source, one))).collect();
    let mut diagnostics = [syntax, others].concat();
    diagnostics.sort_by_key(|one| (one.primary.span.start, one.severity()));
    Script { source: source.clone(), functions, schedules, decompositions, specializations, diagnostics }
}
