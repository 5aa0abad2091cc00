//! Optimisation: enough for sparse loops, and quick enough to wait for.

use inkwell::{module::Module, passes::PassBuilderOptions};

use super::{emit::Emitted, failure, host::Host};

const PIPELINE: &str = "default<O3>";

pub(super) fn optimise(module: &Module<'_>, host: &Host) -> Emitted<()> {
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(true);
    options.set_loop_slp_vectorization(true);
    options.set_loop_interleaving(true);
    options.set_loop_unrolling(true);
    let machine = host.machine()?;
    module.run_passes(PIPELINE, &machine, options).map_err(|error| failure(error.to_string()))
}
