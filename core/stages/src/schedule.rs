//! Schedules: steps from function to function that change how it runs and no result.
//!
//! Steps on sparse iterations (`iterations`) rewrite a function of stage I; all others rewrite loops and blocks, so they apply
//! to what it is lowered to. Each step finds what it names by handles (`handles`), is checked, and is refused with a reason
//! where it would change a result or is none.
//!
//! Architecture Invariant: a step keeps the order in which an element gets its values. `split`, `fuse` and `unroll` keep the
//! order of iterations. `reorder`, `parallel`, `vectorize` and `bind` need iterations that touch different elements
//! (`independent`), which the loops of the function prove. Copies (`cached`) are of whole buffers. Only `rfactor` adds up in
//! another order, for that is what it is for.

mod blocks;
mod cached;
mod factored;
mod fuse;
mod handles;
mod independent;
mod initialized;
mod iterations;
mod kinds;
mod nest;
mod parts;
mod placed;
mod reorder;
mod split;
mod substitute;

use std::collections::HashMap;

use nnz_base::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    ids::FileId,
    source::Span,
};
use nnz_tir::model::{Call, Function, Results, Schedule, Stage};

use crate::{
    fault::Done,
    lower::{canonical, to_stage_three, to_stage_two},
};
use handles::Value;
pub(crate) use nest::mentions;
pub(crate) use substitute::Substitution;

/// The function of a schedule at a stage that it can be lowered to, after the steps that are for functions of that stage.
///
/// # Errors
/// A step that is none, or not legal; what cannot be lowered.
pub fn scheduled(function: &Function, schedule: &Schedule, stage: Stage) -> Result<Function, Box<Diagnostic>> {
    let mut state = State { function: function.clone(), named: HashMap::new(), goes_on: true };
    for step in &schedule.steps {
        state.step(step, stage)?;
        if !state.goes_on {
            break;
        }
    }
    let made = canonical(function, &state.function)?;
    at_stage(&made, stage)
}

fn at_stage(function: &Function, stage: Stage) -> Done<Function> {
    match (function.stage(), stage) {
        (Some(Stage::I), Stage::II) => to_stage_two(function),
        (Some(Stage::I), Stage::III) => to_stage_three(&to_stage_two(function)?),
        (Some(Stage::II), Stage::III) => to_stage_three(function),
        _ => Ok(function.clone()),
    }
}

/// A function between two steps.
struct State {
    function: Function,
    named: HashMap<String, Value>,
    /// Whether the steps that follow are for this stage, too.
    goes_on: bool,
}

/// A step that is not legal.
fn illegal(place: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::TirStep, FileId(0), place, message).label("not legal here")
}

/// A call that is no step, or has arguments that it cannot take.
fn unformed(place: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::TirStepForm, FileId(0), place, message).label("not understood")
}

/// The steps on sparse iterations, and those on loops and blocks.
const SPARSE: &[&str] = &["get_sparse_iteration", "get_sp_iters", "sparse_reorder", "sparse_fuse"];
const STEPS: &[&str] = &[
    "get_block",
    "get_loops",
    "split",
    "fuse",
    "reorder",
    "parallel",
    "vectorize",
    "unroll",
    "bind",
    "annotate",
    "cache_read",
    "cache_write",
    "decompose_reduction",
    "rfactor",
    "compute_at",
    "reverse_compute_at",
];

impl State {
    fn step(&mut self, call: &Call, stage: Stage) -> Done<()> {
        if call.repeats {
            let told = unformed(call.place.0, "a step within a loop or a branch of Python is not read");
            return Err(Box::new(told.help("write the steps out")));
        }
        let is_of_iterations = SPARSE.contains(&call.method.as_str());
        if STEPS.contains(&call.method.as_str())
            && !self.is_of_iteration(call)
            && self.function.stage() == Some(Stage::I)
        {
            if stage == Stage::I {
                self.goes_on = false;
                return Ok(());
            }
            self.function = to_stage_two(&canonical(&self.function.clone(), &self.function)?)?;
        } else if is_of_iterations && self.function.stage() != Some(Stage::I) {
            let told =
                illegal(call.place.0, format!("`{}` is for sparse iterations, and these are loops", call.method));
            return Err(Box::new(told.help("write it before the first step on blocks and loops")));
        }
        let value = self.called(call)?;
        self.bind(call, value)
    }

    /// What a call gives.
    fn called(&mut self, call: &Call) -> Done<Value> {
        match call.method.as_str() {
            "get_sparse_iteration" => self.get_iteration(call),
            "get_sp_iters" => self.get_iterators(call),
            "sparse_reorder" => self.sparse_reorder(call),
            "sparse_fuse" => self.sparse_fuse(call),
            "get_block" => self.get_block(call),
            "get_loops" => self.get_loops(call),
            "split" => self.split(call),
            "fuse" => self.fuse(call),
            "reorder" => self.reorder(call),
            "parallel" | "vectorize" | "unroll" | "bind" => self.set_kind(call),
            "annotate" => self.annotate(call),
            "cache_read" => self.cache_read(call),
            "cache_write" => self.cache_write(call),
            "decompose_reduction" => self.decompose_reduction(call),
            "rfactor" => self.rfactor(call),
            "compute_at" => self.compute_at(call),
            "reverse_compute_at" => self.reverse_compute_at(call),
            other => {
                let told = unformed(call.place.0, format!("`{other}` is no step that nnz has"));
                let near = did_you_mean(other, SPARSE.iter().chain(STEPS).copied());
                Err(Box::new(match near {
                    Some(near) => told.help(format!("there is `{near}`")),
                    None => told.help(format!("there are {}, {}", SPARSE.join(", "), STEPS.join(", "))),
                }))
            }
        }
    }

    fn bind(&mut self, call: &Call, value: Value) -> Done<()> {
        match (&call.results, value) {
            (Results::Unnamed, _) => {}
            (Results::Whole(name), value) => drop(self.named.insert(name.clone(), value)),
            (Results::Parts(names), Value::Many(values)) if names.len() == values.len() => {
                self.named.extend(names.iter().cloned().zip(values));
            }
            (Results::Parts(names), value) => {
                let count = if let Value::Many(values) = &value { values.len() } else { 1 };
                let message = format!("`{}` gives {count}, and {} names are to take them", call.method, names.len());
                return Err(Box::new(unformed(call.place.0, message)));
            }
        }
        Ok(())
    }
}
