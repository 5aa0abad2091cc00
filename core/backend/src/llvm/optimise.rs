//! Optimisation: enough for sparse loops, and fast enough for interactive use.

use inkwell::{module::Module, passes::PassBuilderOptions};

use super::{emit::Emitted, failure, machine::Machine, sanitize};

pub(super) fn optimise(module: &Module<'_>, machine: &dyn Machine) -> Emitted<()> {
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(true);
    options.set_loop_slp_vectorization(true);
    options.set_loop_interleaving(true);
    options.set_loop_unrolling(true);
    let blocks = module.get_functions().map(|function| function.count_basic_blocks()).sum();
    let generator = machine.generator()?;
    module.run_passes(machine.passes(blocks), &generator, options).map_err(|error| failure(error.to_string()))?;
    if machine.runs_here() && sanitize::is_asked_for()? { sanitize::instrument(module, &generator) } else { Ok(()) }
}
