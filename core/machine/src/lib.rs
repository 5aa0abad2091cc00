//! Runs MLIR programs that the front end (`nnz-mlir`) has read and checked.
//!
//! [`run`] runs a function of a [`Module`]. An evaluator (`machine`) runs control flow, scalars, dense tensors, buffers
//! and vectors; the compiler runs sparse kernels (`generic`). `meaning` maps each declared operation to what it does,
//! with one file for each dialect (`dialects`). A program reads files and environment variables through a [`Host`]; its
//! output goes to a [`Sink`].
//!
//! Tensors are immutable values: `tensor.insert` and similar operations give new ones. An entry of a tensor with an
//! encoding is stored or absent, and kernels depend on that; see `generic`.

#![warn(clippy::wildcard_enum_match_arm)]

mod budget;
mod catch;
mod dialects;
mod externs;
mod generic;
mod kept;
pub mod machine;
pub mod meaning;
mod print;
pub mod value;
mod views;

pub use budget::Budget;
pub use catch::{Caught, Given, catch};
pub use generic::{Becomes, Declined, Site, becomes_loops, plain_name, sites, sites_at};
pub use kept::Kept;

use machine::{Fault, FaultKind, Machine};
use nnz_backend::Cache;
use nnz_base::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    host::Host,
    ids::FileId,
    source::{Source, Span},
};
use nnz_check::Checked;
use nnz_mlir::{
    Known, Module,
    ir::{Function, FunctionId},
    mistake::Mistake,
};
use nnz_run::Engine;
use value::Value;

/// Takes the output of a program while it runs.
pub trait Sink {
    /// Text for standard output.
    fn print(&mut self, text: &str);
    /// Something that the user may want to know.
    fn note(&mut self, _diagnostic: Diagnostic) {}
}

/// How a program runs, and its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The largest number of operations and points of kernels.
    pub steps: u64,
    /// The largest number of bytes of memory.
    pub memory: u64,
    /// The largest number of threads that run a kernel; at least 1.
    pub threads: usize,
    pub kernels: Kernels,
    /// Which code runs those that the compiler takes.
    pub engine: Engine,
}

/// How kernels run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernels {
    /// The compiler, except for small kernels, which are evaluated faster than planned.
    #[default]
    BySize,
    /// The compiler, wherever it can.
    Compiled,
    /// Evaluation point by point, which is the reference.
    Direct,
}

impl Default for Options {
    /// Picked by gut feeling: some minutes, and what most machines have.
    fn default() -> Options {
        Options {
            steps: 10_000_000_000,
            memory: budget::DEFAULT_BYTES,
            threads: 1,
            kernels: Kernels::BySize,
            engine: Engine::Adaptive,
        }
    }
}

/// The diagnostics of the operations of a file, for a check without a run: operations that nnz does not know or cannot
/// run are hints. Those `known` from another version of the file are not computed again.
pub fn diagnostics(checked: &Checked, known: &mut Known) -> Vec<Diagnostic> {
    let mut own = nnz_mlir::mistakes(checked, known, hints);
    for diagnostic in &mut own {
        if diagnostic.code == Code::UnsupportedProgram {
            diagnostic.code = Code::NotRun;
        }
    }
    own
}

/// What a function costs, and what MLIR 22 makes of it.
fn hints(source: &Source, function: &Function) -> Vec<Mistake> {
    generic::costs(source, function).into_iter().chain(nnz_mlir::miscompiled(function)).collect()
}

/// The hidden costs of calling the functions of a file, as far as types give the sizes, in the order of the file; those
/// of the functions called in turn are included.
pub fn costs(checked: &Checked, function: &str) -> Vec<Diagnostic> {
    let modules = nnz_mlir::modules(checked).unwrap_or_default();
    let found = modules.iter().rev().find_map(|module| Some((module, module.find(function)?)));
    let costs = found.map(|(module, function)| generic::costs_of_call(&checked.source, module, function));
    costs.into_iter().flatten().map(|cost| cost.diagnostic(checked.source.id)).collect()
}

/// The parameters of a run.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub options: Options,
    /// Kernels that were compiled already.
    pub cache: &'a Cache,
    /// The plans of the program's kernels.
    pub kept: &'a Kept,
    /// The text of the program, for diagnostics and names.
    pub source: &'a Source,
    /// The name of the text that runs it: files may lie beside that.
    pub text: &'a str,
}

/// The input and the output of a program.
pub type World<'w> = (&'w dyn Host, &'w mut dyn Sink);

/// Calls a function with values of the types that it takes, and gives its results. Calls within it nest deeply: its
/// thread needs a stack of [`STATEMENT_STACK`](nnz_base::threads::STATEMENT_STACK) bytes.
///
/// # Errors
/// One diagnostic where the program stopped early.
pub fn call(
    module: &Module,
    function: FunctionId,
    arguments: Vec<Value>,
    (host, sink): World<'_>,
    run: Run<'_>,
) -> Result<Vec<Value>, Box<Diagnostic>> {
    let mut machine = Machine::new(module, host, sink, run);
    let place = module.function(function).span;
    machine.plans = run.kept.take();
    let ended = machine.call(function, arguments);
    run.kept.put(std::mem::take(&mut machine.plans));
    // What the user stopped is told so, even where it has ended by itself meanwhile.
    let ended = ended.and_then(|values| machine.go_on().map(|()| values));
    ended.map_err(|fault| Box::new(stopped(run.source.id, place, fault)))
}

/// Runs function `entry`, which takes nothing, of every module that has one. See [`call`] for the stack.
///
/// # Errors
/// No such function; one diagnostic where the program stopped early.
pub fn run(
    checked: &Checked,
    modules: &[Module],
    entry: &str,
    (host, sink): World<'_>,
    options: Options,
) -> Result<(), Box<Diagnostic>> {
    let cache = Cache::default();
    let mut found = false;
    for module in modules {
        let Some(id) = module.find(entry) else { continue };
        found = true;
        let function = module.function(id);
        if !function.inputs.is_empty() {
            let message = format!("`@{entry}` takes arguments, and none are given");
            let error = no_entry(checked, function.span, message);
            return Err(Box::new(error.help("`--args \"2.5, matrix.mtx\"` gives them")));
        }
        let source = &checked.source;
        let kept = Kept::default();
        let run = Run { options, cache: &cache, kept: &kept, source, text: &source.name };
        call(module, id, Vec::new(), (host, &mut *sink), run)?;
    }
    if found { Ok(()) } else { Err(no_function(checked, modules, entry).into()) }
}

/// The error for a missing entry, placed at the function that is meant, or at the first of the file.
fn no_function(checked: &Checked, modules: &[Module], entry: &str) -> Diagnostic {
    let functions: Vec<_> = modules.iter().flat_map(Module::functions).filter(|one| one.body.is_some()).collect();
    let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
    let near = did_you_mean(entry, names.iter().copied()).or(names.first().copied());
    let place = functions.iter().find(|function| near == Some(&function.name)).map_or(Span::at(0), |one| one.span);
    let diagnostic = no_entry(checked, place, format!("there is no function `@{entry}`"));
    match near {
        Some(near) => diagnostic.label(format!("there is `@{near}`")).help(format!("`-e {near}` runs `@{near}`")),
        None => diagnostic.label("no function to run"),
    }
}

fn no_entry(checked: &Checked, span: Span, message: String) -> Diagnostic {
    Diagnostic::new(Code::NoEntry, checked.source.id, span, message).help("`-e NAME` names the function to run")
}

fn stopped(file: FileId, function: Span, fault: Fault) -> Diagnostic {
    let (code, label) = match fault.kind {
        FaultKind::Failed => (Code::ProgramFailed, "this failed"),
        FaultKind::Limit => (Code::ProgramLimit, "stopped here"),
        FaultKind::Cancelled => (Code::Cancelled, "stopped here"),
        FaultKind::Bug => (Code::CompilerBug, "nnz's mistake, not the program's"),
    };
    let mut diagnostic = Diagnostic::new(code, file, fault.span.unwrap_or(function), fault.message).label(label);
    let more = fault.more.map(|more| *more).unwrap_or_default();
    diagnostic.data = more.data.map(Box::new);
    diagnostic.notes.extend(more.notes);
    diagnostic.helps.extend(more.help);
    diagnostic
}
