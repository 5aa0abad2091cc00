//! AddressSanitizer in kernels, for tests: with `NNZ_SANITIZE=address` every access is checked against the heap of a process
//! into which the sanitizer's run time is preloaded. `tests/sanitizers/run.sh` does so.

use std::{ffi::CStr, sync::OnceLock};

use inkwell::{
    attributes::{Attribute, AttributeLoc},
    execution_engine::ExecutionEngine,
    module::Module,
    passes::PassBuilderOptions,
    targets::TargetMachine,
};

use libloading::os::unix::Library;

use super::{emit::Emitted, failure};

const VARIABLE: &str = "NNZ_SANITIZE";

/// What instrumented code calls where an access is outside.
const REPORT: &CStr = c"__asan_report_load8";

/// # Errors
/// A value that names no sanitizer; a process without its run time.
pub(super) fn is_asked_for() -> Emitted<bool> {
    static ASKED: OnceLock<Result<bool, String>> = OnceLock::new();
    ASKED.get_or_init(asked).clone().map_err(failure)
}

fn asked() -> Result<bool, String> {
    let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else { return Ok(false) };
    if value != "address" {
        return Err(format!("{VARIABLE} is `{}`, and can only be `address`", value.display()));
    }
    let process = Library::this();
    // SAFETY: the address is not used.
    match unsafe { process.get::<*mut ()>(REPORT.to_bytes_with_nul()) } {
        Ok(_) => Ok(true),
        Err(_) => {
            Err(format!("{VARIABLE} asks for AddressSanitizer, whose run time this process lacks: preload libasan.so"))
        }
    }
}

/// The run time's functions and variables in a module that was instrumented: LLVM's own search does not find them.
pub(super) fn bind(module: &Module<'_>, engine: &ExecutionEngine<'_>) {
    let process = Library::this();
    let address = |name: &CStr| {
        // SAFETY: only the address is taken; instrumented code uses it as the run time means.
        let symbol = name
            .to_bytes()
            .starts_with(b"__asan_")
            .then(|| unsafe { process.get::<*mut ()>(name.to_bytes_with_nul()) });
        symbol.and_then(Result::ok).map(|symbol| *symbol as usize)
    };
    for function in module.get_functions() {
        address(function.get_name()).into_iter().for_each(|at| engine.add_global_mapping(&function, at));
    }
    for global in module.get_globals() {
        address(global.get_name()).into_iter().for_each(|at| engine.add_global_mapping(&global.as_pointer_value(), at));
    }
}

/// Checks every access of the module's functions.
pub(super) fn instrument(module: &Module<'_>, machine: &TargetMachine) -> Emitted<()> {
    let kind = Attribute::get_named_enum_kind_id("sanitize_address");
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        let attribute = module.get_context().create_enum_attribute(kind, 0);
        function.add_attribute(AttributeLoc::Function, attribute);
    }
    module.run_passes("asan", machine, PassBuilderOptions::create()).map_err(|error| failure(error.to_string()))?;
    remove_constructor(module);
    Ok(())
}

/// The run time is there already, and the engine cannot link the constructor that would start it.
fn remove_constructor(module: &Module<'_>) {
    // SAFETY: the list of constructors is all that refers to the constructor, and nothing to the list.
    unsafe {
        module.get_global("llvm.global_ctors").into_iter().for_each(|list| list.delete());
        module.get_function("asan.module_ctor").into_iter().for_each(|constructor| constructor.delete());
    }
}
