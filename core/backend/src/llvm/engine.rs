//! Turns a module into callable machine code, which is freed with its last use.

use std::ptr::NonNull;

use inkwell::{OptimizationLevel, context::Context, execution_engine::ExecutionEngine, module::Module};

use super::{
    arguments::Slot,
    emit::{Emitted, Unit},
    failure,
    functions::ENTRY,
    library::Loaded,
    run_time::{self, parallel::Team},
    sanitize, symbols,
};

/// An LLVM context that lives as long as the code made in it.
pub(super) struct OwnedContext(NonNull<Context>);

impl OwnedContext {
    pub(super) fn new(llvm: Loaded) -> OwnedContext {
        OwnedContext(NonNull::from(Box::leak(Box::new(llvm.context()))))
    }
    /// # Safety
    /// The reference, and everything made with it, must be dropped before `self`.
    pub(super) unsafe fn get(&self) -> &'static Context {
        // SAFETY: the pointer is valid until `self` is dropped, which the caller waits for.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for OwnedContext {
    fn drop(&mut self) {
        // SAFETY: it came out of a box, in `new`, and nothing refers to it any more.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

type Entry = unsafe extern "C" fn(*const Team, *const Slot);

/// Machine code. Fields are dropped in order: the engine before its context.
pub(super) struct Code {
    entry: Entry,
    _engine: ExecutionEngine<'static>,
    _context: OwnedContext,
}

// SAFETY: after construction only `entry` is used, a plain address of immutable code; engine and
// context are touched again only when dropped, by whoever is last, and LLVM ties neither to a thread.
unsafe impl Send for Code {}
unsafe impl Sync for Code {}

impl Code {
    /// Generates code for `unit`, which was made in `context` and so must be dropped before it: parameters
    /// are dropped last to first.
    pub(super) fn generate(context: OwnedContext, unit: Unit<'static, '_>) -> Emitted<Code> {
        let engine = unit
            .module
            .create_jit_execution_engine(OptimizationLevel::Default)
            .map_err(|error| failure(error.to_string()))?;
        bind(&unit.module, &engine)?;
        sanitize::bind(&unit.module, &engine);
        let address = engine.get_function_address(ENTRY).map_err(|error| failure(error.to_string()))?;
        // SAFETY: `functions::emit_kernel` made the entry with this very signature.
        let entry = unsafe { std::mem::transmute::<usize, Entry>(address) };
        drop(unit);
        Ok(Code { entry, _engine: engine, _context: context })
    }

    /// # Safety
    /// `frame` must be one for this kernel, its arrays alive and long enough for what the kernel
    /// reads and writes, those it writes not otherwise referred to.
    pub(super) unsafe fn call(&self, team: &Team, frame: &[Slot]) {
        // SAFETY: the caller's promise.
        unsafe { (self.entry)(team, frame.as_ptr()) };
    }
}

/// Binds the functions that the module calls, by their names.
fn bind(module: &Module<'_>, engine: &ExecutionEngine<'_>) -> Emitted<()> {
    for function in module.get_functions().filter(|function| function.count_basic_blocks() == 0) {
        let name = function.get_name().to_string_lossy();
        match run_time::address(&name) {
            Some(address) => engine.add_global_mapping(&function, address),
            None if name.starts_with(symbols::PREFIX) => return Err(failure(format!("there is no function `{name}`"))),
            // LLVM's own.
            None => {}
        }
    }
    Ok(())
}
