//! Optimisation: enough for sparse loops, and fast enough for interactive use.

use inkwell::{module::Module, passes::PassBuilderOptions};

use super::{emit::Emitted, failure, host::Host, sanitize};

const PIPELINE: &str = "default<O3>";

/// Of a kernel that merges many operands: analyses of its loops take longer the more there are of them (seconds for
/// 1,500 blocks), and find nothing in merges.
const LONG_PIPELINE: &str =
    "function(sroa,early-cse<memssa>,simplifycfg,instcombine,loop-mssa(licm),gvn,instcombine,simplifycfg)";
/// From so many blocks on.
const LONG: u32 = 500;

fn pipeline(module: &Module<'_>) -> &'static str {
    let blocks: u32 = module.get_functions().map(|function| function.count_basic_blocks()).sum();
    if blocks < LONG { PIPELINE } else { LONG_PIPELINE }
}

pub(super) fn optimise(module: &Module<'_>, host: &Host) -> Emitted<()> {
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(true);
    options.set_loop_slp_vectorization(true);
    options.set_loop_interleaving(true);
    options.set_loop_unrolling(true);
    let machine = host.machine()?;
    module.run_passes(pipeline(module), &machine, options).map_err(|error| failure(error.to_string()))?;
    if sanitize::is_asked_for()? { sanitize::instrument(module, &machine) } else { Ok(()) }
}
