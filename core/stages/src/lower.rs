//! Lowering from stage I to stage II, where coordinates have become positions and sparse iterations loops and blocks, and
//! to stage III, where sparse buffers are dense (`flat`).
//!
//! Every compressed iterator gets a dense shadow behind it, and the arrays of the structure become buffers
//! (`structure`). An iteration becomes blocks within each other: a new one begins with each varied iterator whose parent
//! the block binds, for its loop reads where that begins (`nest`). A coordinate that finds its own iterator stays a
//! position; every other one is read from the array of coordinates (`expr`). A coordinate of another iterator is searched
//! for before the statement (`search`); an element that may not be stored is read and written on condition (`element`),
//! unless its coordinates are in range for certain (`ranges`). What initializes the result has a nest of its own over the
//! spatial iterators before the others, so rows without entries are initialized, too.

pub(crate) mod names;
pub(crate) mod rewrite;
mod structure;
mod cells;
mod search;
mod ranges;
mod element;
mod expr;
mod nest;
mod flat;

pub(crate) use flat::flattened;
pub use flat::to_stage_three;

use std::collections::HashMap;

use nnz_base::{diagnostic::Diagnostic, ids::FileId, source::Source};
use nnz_tir::{
    model::{BufferId, Expr, Function, Iteration, IteratorId, LEVEL, Loop, Stage, Statement, Value, VariableId},
    print::{Spelling, print},
    script,
};

use crate::fault::{Done, unread};
use names::Names;
use rewrite::Rewrite;
use search::Search;
use structure::Structure;

/// The function at stage II.
///
/// # Errors
/// A predicate of a block that needs a search, and what this cannot express.
pub fn to_stage_two(function: &Function) -> Result<Function, Box<Diagnostic>> {
    if function.stage() != Some(Stage::I) {
        let told = unread(function.place.0, format!("`{}` is not of stage I", function.name));
        return Err(Box::new(told.label("only such are lowered to stage II")));
    }
    let (structure, lowered) = structure::lowered(function);
    let mut lowering = Lowering {
        function,
        names: Names::of(&lowered),
        lowered,
        structure,
        around: Vec::new(),
        positions: HashMap::new(),
        loops: Vec::new(),
        before: Vec::new(),
        searches: Vec::new(),
        known: Vec::new(),
    };
    lowering.lowered.body = lowering.facts();
    let body = lowering.statements(&function.body)?;
    lowering.lowered.body.extend(body);
    lowering.lowered.attributes.insert(LEVEL.to_string(), Value::Int(Stage::II.level()));
    canonical(function, &lowering.lowered)
}

/// What is known while a function is lowered.
struct Lowering<'f> {
    function: &'f Function,
    lowered: Function,
    structure: Structure,
    names: Names,
    /// The iterations around, outermost first.
    around: Vec<&'f Iteration>,
    /// The block variable that is the position of an iterator, by the numbers of the lowered function.
    positions: HashMap<IteratorId, Position>,
    /// The loops of the text around.
    loops: Vec<&'f Loop>,
    /// What has to run before the statement that is lowered: searches.
    before: Vec<Statement>,
    /// What is found there.
    searches: Vec<Search>,
    /// Conditions that hold where the expression that is lowered is computed.
    known: Vec<Expr>,
}

/// Where an iterator is.
#[derive(Clone, Copy)]
struct Position {
    variable: VariableId,
    /// The iterator whose coordinate is the position of its parent.
    attached: Option<IteratorId>,
    fused: Fused,
}

#[derive(Clone, Copy, PartialEq)]
enum Fused {
    No,
    /// It has no loop, and stays at its first position; the next in the loop is its child.
    Held(IteratorId),
    /// It runs over the positions of all its parents.
    Last,
}

/// The buffers over the arrays of iterators.
#[derive(Clone, Copy, Default)]
struct Arrays {
    indptr: Option<BufferId>,
    indices: Option<BufferId>,
}

/// The function as it is read from its text: then its numbers are those that the text gives.
pub(crate) fn canonical(before: &Function, lowered: &Function) -> Done<Function> {
    let text = print([lowered], Spelling::Rfc);
    let read = script(&Source::new(FileId(0), "lowered", text));
    let errors = read.diagnostics.iter().find(|one| one.is_error()).map(|one| one.message.clone());
    match (read.function(&lowered.name), errors) {
        (Some(function), None) => Ok(function.clone()),
        (_, why) => {
            let why = why.unwrap_or_else(|| "it cannot be read".to_string());
            let told = Diagnostic::new(
                nnz_base::diagnostic::Code::CompilerBug,
                FileId(0),
                before.place.0,
                format!("what this becomes is wrong: {why}"),
            );
            Err(Box::new(told.label("lowered wrongly")))
        }
    }
}
