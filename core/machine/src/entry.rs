//! Runs functions of programs.

use nnz_backend::Cache;
use nnz_base::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    source::Span,
};
use nnz_check::Checked;
use nnz_mlir::{Module, ir::FunctionId};

use crate::{Kept, Options, Run, World, dialects::meanings, fault::stopped, machine::Machine, value::Value};

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
    let mut machine = Machine::new((module, meanings()), host, sink, run);
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
            let error = Diagnostic::new(Code::NoEntry, checked.source.id, function.span, message);
            let error = error.label("what runs alone takes none");
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
pub(super) fn no_function(checked: &Checked, modules: &[Module], entry: &str) -> Diagnostic {
    let functions: Vec<_> = modules.iter().flat_map(Module::functions).filter(|one| one.body.is_some()).collect();
    let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
    let near = did_you_mean(entry, names.iter().copied()).or(names.first().copied());
    let place = functions.iter().find(|function| near == Some(&function.name)).map_or(Span::at(0), |one| one.span);
    // Another name than that of the default was given.
    let code = if entry == "main" { Code::NoEntry } else { Code::UnknownFunction };
    let diagnostic = Diagnostic::new(code, checked.source.id, place, format!("there is no function `@{entry}`"))
        .help("`-e NAME` names the function to run");
    match near {
        Some(near) => diagnostic.label(format!("there is `@{near}`")).help(format!("`-e {near}` runs `@{near}`")),
        None => diagnostic.label("no function to run"),
    }
}
