//! Runs a program until it reaches a kernel, and gives the kernel with the data that it has there: what is timed,
//! compared and drawn.

use nnz_backend::Cache;
use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::Span,
};
use nnz_check::Checked;
use nnz_mlir::{Module, ir::FunctionId};

use crate::{
    Caught, Kept, Options, Run, World, dialects::meanings, entry::no_function, fault::stopped, machine::Machine,
};

/// Runs function `entry`, which takes nothing, until it reaches the kernel whose name is at `kernel` in the text. Of a
/// kernel with several results it gives the first. See [`call`](crate::call) for the stack.
///
/// # Errors
/// No such function; a program that fails or ends before; a kernel that has no loops.
pub fn catch(
    checked: &Checked,
    modules: &[Module],
    (entry, kernel): (&str, Span),
    (host, sink): World<'_>,
    options: Options,
) -> Result<Caught, Box<Diagnostic>> {
    let (cache, kept, source) = (Cache::default(), Kept::default(), &checked.source);
    let run = Run { options, cache: &cache, kept: &kept, source, text: &source.name };
    let mut found = modules.iter().filter_map(|module| Some((module, module.find(entry)?))).peekable();
    if found.peek().is_none() {
        return Err(no_function(checked, modules, entry).into());
    }
    for (module, function) in found {
        let machine = Machine::new((module, meanings()), host, &mut *sink, run);
        if let Some(caught) = caught_in(machine, function, kernel)? {
            return Ok(caught);
        }
    }
    let message = format!("`@{entry}` has run to its end without this kernel");
    let unreached = Diagnostic::new(Code::ProgramFailed, source.id, kernel, message).label("never reached");
    Err(Box::new(unreached.help("a function without arguments that calls the one around it reaches it")))
}

/// `None` if the function ends before.
fn caught_in(mut machine: Machine<'_>, function: FunctionId, kernel: Span) -> Result<Option<Caught>, Box<Diagnostic>> {
    machine.catch.wanted = Some(kernel);
    let (id, place) = (machine.run.source.id, machine.module.function(function).span);
    let ended = machine.call(function, Vec::new());
    match (machine.catch.found, ended) {
        (Some(caught), _) => Ok(Some(caught)),
        (None, Ok(_)) => Ok(None),
        (None, Err(fault)) => Err(Box::new(stopped(id, place, fault))),
    }
}
