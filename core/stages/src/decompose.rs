//! Format decomposition: a function for several formats of one operand, whose parts add up to it.
//!
//! Every rule brings the iterators and buffers of its description into the function (`merged`). An iteration over a buffer
//! that a rule names becomes one for each rule, over the iterators of that (`parts`); what it initializes stays one iteration before them.
//! Copies fill the parts (`copies`). That is legal for sums whose terms vanish where nothing is stored (`sums`).
//!
//! A run does the copies itself (`convert`): each entry goes to the first rule that takes it (`takes`), the arrays of the
//! structure are made of the entries of each rule (`build`), and the values are filled in (`fill`).

mod build;
mod convert;
mod copies;
mod entries;
mod fill;
mod merged;
mod numbers;
mod parts;
mod sums;
mod takes;

use nnz_base::diagnostic::Diagnostic;
use nnz_tir::{
    model::{Function, Iteration, Stage, Statement, StatementKind, Value},
    rules::{Ruled, illegal},
};

use crate::lower::canonical;
pub use convert::parted;
use merged::Merged;
use sums::touches;

/// Marks iterations and blocks that prepare data.
const PREPROCESS: &str = "preprocess";

/// The function after the rules of a decomposition, with the iterations that copy entries if they are wanted.
///
/// # Errors
/// A function that is no sum over the entries of what is decomposed.
pub fn decomposed(function: &Function, rules: &[Ruled<'_>], copies: bool) -> Result<Function, Box<Diagnostic>> {
    if function.stage() != Some(Stage::I) {
        let place = rules.first().map_or(function.place.0, |one| one.rule.place.0);
        let told = illegal(place, format!("`{}` is not of stage I", function.name));
        return Err(Box::new(told.help("only sparse iterations are decomposed")));
    }
    let mut merged = Merged::of(function, rules)?;
    let mut body = Vec::new();
    if copies {
        for part in merged.parts.clone() {
            body.extend(merged.copies(&part)?);
        }
    }
    let buffers = merged.buffers();
    for statement in &function.body {
        match statement.iteration() {
            _ if !touches(statement, &buffers) => body.push(statement.clone()),
            Some(iteration) => body.extend(merged.divided(iteration, statement.place)?),
            None => return Err(merged.elsewhere(statement)),
        }
    }
    merged.function.body = body;
    if rules.len() > 1 {
        merged.function.attributes.insert("composable".to_string(), Value::Int(1));
    }
    canonical(function, &merged.function)
}

/// The function without the statements that copy entries into parts: a run has done that.
pub fn without_copies(function: &Function) -> Function {
    let body = function.body.iter().filter(|statement| !copies(statement)).cloned().collect();
    Function { body, ..function.clone() }
}

/// Whether a statement is such a copy, or loops around one.
fn copies(statement: &Statement) -> bool {
    let is_copy = |name: &str, attributes: &nnz_tir::model::Attributes| {
        name.starts_with(copies::PREFIX) && attributes.get(PREPROCESS) == Some(&Value::Bool(true))
    };
    match &statement.kind {
        StatementKind::Iteration(iteration) => is_copy(&iteration.name, &iteration.attributes),
        StatementKind::Block(block) => is_copy(&block.name, &block.attributes),
        StatementKind::Loop(one) => one.body.iter().any(copies),
        StatementKind::While(..)
        | StatementKind::If { .. }
        | StatementKind::Store(..)
        | StatementKind::Let(..)
        | StatementKind::Evaluate(_)
        | StatementKind::Intrinsic(_)
        | StatementKind::Assert(..)
        | StatementKind::Allocate(_)
        | StatementKind::Domain(..) => false,
    }
}

/// The name of a part of an iteration.
fn named(iteration: &Iteration, suffix: &str) -> String {
    if iteration.name.is_empty() { suffix.to_string() } else { format!("{}_{suffix}", iteration.name) }
}
