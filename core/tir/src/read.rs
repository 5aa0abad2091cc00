//! Reading: from the tree of a Python text to functions, with what is wrong at its place.
//!
//! A mistake is told where it stands, and reading goes on behind it. A name whose declaration is wrong is known as
//! broken, so that its uses are not told, too.

mod python;
mod find;
mod syntax;
mod names;
mod reader;
mod arguments;
mod attributes;
mod expr;
mod calls;
mod access;
mod iterators;
mod buffers;
mod iteration;
mod blocks;
mod loops;
mod statements;
mod function;
mod values;
mod evaluate;
mod rules;
mod specialized;
mod schedules;

pub use names::{Mention, Thing};
pub(crate) use syntax::line;

use nnz_base::{
    diagnostic::Diagnostic,
    source::{Source, Span},
};
use ruff_python_ast::PySourceType;
use ruff_python_parser::parse_unchecked_source;

use crate::model::{Decomposition, Function, Schedule, Specialization};

/// The functions of a Python file, as far as they could be read, and what is wrong in it.
#[derive(Default)]
pub(crate) struct Text {
    pub(crate) functions: Vec<Read>,
    pub(crate) schedules: Vec<Schedule>,
    pub(crate) decompositions: Vec<Decomposition>,
    pub(crate) specializations: Vec<Specialization>,
    /// What is no Python, once for each line.
    pub(crate) syntax: Vec<Diagnostic>,
    /// What else is wrong.
    pub(crate) told: Vec<Diagnostic>,
}

/// A function as far as it could be read.
pub struct Read {
    pub function: Function,
    /// Whether nothing is wrong in it: otherwise parts of it may be missing.
    pub whole: bool,
    /// With its decorator.
    pub span: Span,
    /// Its first statement.
    pub first: Span,
    /// The dictionary of its attributes.
    pub attributes: Option<Span>,
    /// Every name that was understood, in the order of reading.
    pub mentions: Vec<Mention>,
}

/// Reads a text. One without a function of SparseTIR has nothing to read.
pub(crate) fn read(source: &Source) -> Text {
    if !source.text.contains("prim_func") {
        return Text::default();
    }
    if let Some(deep) = syntax::too_deep(source) {
        return Text { told: vec![deep], ..Text::default() };
    }
    let parsed = parse_unchecked_source(&source.text, PySourceType::Python);
    let found = find::functions(&parsed.syntax().body);
    if found.is_empty() {
        return Text::default();
    }
    let syntax = syntax::mistakes(source, parsed.errors(), parsed.tokens());
    let unclosed = syntax::unclosed(parsed.tokens()).filter(|_| !syntax.is_empty());
    let starts: Vec<usize> = syntax.iter().map(|one| one.primary.span.start as usize).collect();
    let names: Vec<&str> = found.iter().map(|found| found.definition.name.as_str()).collect();
    let around = schedules::around(&parsed.syntax().body, &names);
    let schedules::Around { schedules, decompositions, specializations, told } = around;
    let mut text = Text { syntax, schedules, decompositions, specializations, told, ..Text::default() };
    for found in found {
        let is_broken = starts.iter().any(|at| breaks(source, python::span(found.definition), *at));
        let is_broken = is_broken || found.definition.name.is_empty();
        let (read, told) = function::read(source, &found, is_broken);
        text.functions.push(read);
        // What stands behind an open bracket is not what it looks like.
        let is_read = |one: &Diagnostic| unclosed.is_none_or(|open| one.primary.span.start < open.start);
        text.told.extend(told.into_iter().filter(is_read));
    }
    text
}

/// Whether a mistake belongs to a function: what is unfinished is told behind it, at the end of its line or of the text.
fn breaks(source: &Source, span: Span, at: usize) -> bool {
    let Some(behind) = source.text.get(span.end as usize..) else { return false };
    let between = at.checked_sub(span.end as usize).and_then(|length| behind.get(..length));
    let is_behind = between.is_some_and(|between| !between.contains('\n') || behind.trim().is_empty());
    span.touches(at) || is_behind
}
