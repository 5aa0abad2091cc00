//! Machine code for this computer's processor, and PTX for GPUs, by LLVM.
//!
//! A verified function, after the passes for this machine, becomes an LLVM module (`emit` and its neighbours, one
//! concern a file), is optimised (`optimise`) and compiled in this process (`engine`). What differs between machines is
//! in `machine`. Code calls the functions of `symbols` by name; `run_time` implements them. Results equal the
//! interpreter's: the order of floating-point operations is kept, and elementary functions are calls to the same code.
//! Only [`FloatOrder::Relaxed`] changes that, and only where a user asks for it.
//!
//! Architecture Invariant: nothing here knows sparsity. Machine code checks no access: `backend::arguments` checks
//! lengths that the function states before the call, and the caller of [`Executable::run`] promises that every access
//! is inside its array.

mod arguments;
mod atomics;
mod casts;
mod complex;
mod emit;
mod engine;
mod expressions;
mod floats;
mod functions;
mod hints;
mod integers;
mod library;
mod machine;
mod memory;
mod parallel;
mod optimise;
mod run_time;
mod sanitize;
mod statements;
mod symbols;
#[cfg(test)]
mod tests;
mod types;

use std::sync::Arc;

use inkwell::{builder::BuilderError, context::Context, targets::FileType, values::FastMathFlags};

pub(super) use self::library::{Missing, is_in_place, load};
use self::{
    emit::Unit,
    engine::{Code, OwnedContext},
    library::Loaded,
    machine::{Host, Machine, nvptx},
    run_time::parallel::Team,
};
pub use super::FloatOrder;
use super::{Argument, Backend, BackendError, Executable, Form, Gpu, Target, arguments::check};
use nnz_base::element::Scalar;
use nnz_loops::{
    Function, Module, Verified,
    passes::{self, Pass},
};

const NAME: &str = "LLVM";

/// How to compile and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    pub float_order: FloatOrder,
}

impl Default for Options {
    fn default() -> Self {
        Options { float_order: FloatOrder::Strict }
    }
}

/// The back end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Llvm {
    pub options: Options,
}

impl Llvm {
    /// # Errors
    /// A processor for which this build makes no code.
    pub fn new(options: Options) -> Result<Llvm, BackendError> {
        Host::get(library::load()?)?;
        Ok(Llvm { options })
    }
}

// SAFETY: the code is emitted from the function, and accesses its arguments as the function says.
unsafe impl Backend for Llvm {
    fn compile(&self, function: &Verified<Function>) -> Result<Arc<dyn Executable>, BackendError> {
        let llvm = library::ready()?;
        let context = OwnedContext::new(llvm);
        let source = Source::new(function, self.options)?;
        // SAFETY: the unit goes into the code or is dropped here, in either case before the context.
        let unit = emitted((llvm, unsafe { context.get() }), &source, self.options)?;
        optimise::optimise(&unit.module, unit.machine)?;
        let code = Code::generate(context, unit)?;
        Ok(Arc::new(Kernel { code, function: function.clone() }))
    }
}

/// A compiled kernel.
struct Kernel {
    code: Code,
    function: Verified<Function>,
}

impl Executable for Kernel {
    unsafe fn run(&self, arrays: &mut [Argument<'_>], scalars: &[Scalar], threads: usize) -> Result<(), BackendError> {
        check(&self.function, arrays, scalars)?;
        let team = Team::new(threads);
        let mut allocated = arguments::allocated(&self.function, scalars)?;
        let frame = arguments::frame(&self.function, arrays, &mut allocated, scalars);
        // SAFETY: the arguments fit the parameters and are borrowed for the call, mutably where the
        // kernel writes; that accesses are inside the arrays is what the caller promises.
        unsafe { self.code.call(&team, &frame) };
        Ok(())
    }
}

/// What is emitted: a kernel's loops after the passes.
struct Source {
    function: Verified<Function>,
    /// Regrouped sums would make LLVM take tiles for sums along the outer loop, which is slower.
    tiled: bool,
}

impl Source {
    fn new(function: &Verified<Function>, options: Options) -> Result<Source, BackendError> {
        let order = options.float_order;
        let tiled = order == FloatOrder::Relaxed && passes::run(&[Pass::Tile], function)? != *function;
        Ok(Source { function: super::passed(Form::Run(Target::Cpu, order), function)?, tiled })
    }

    /// As [`freedom`], of these loops.
    fn freedom(&self, order: FloatOrder) -> Option<FastMathFlags> {
        match order {
            FloatOrder::Relaxed if self.tiled => Some(FastMathFlags::AllowContract),
            FloatOrder::Strict | FloatOrder::Relaxed => freedom(order),
        }
    }
}

/// What LLVM may do to floating-point operations.
fn freedom(order: FloatOrder) -> Option<FastMathFlags> {
    match order {
        FloatOrder::Strict => None,
        FloatOrder::Relaxed => Some(FastMathFlags::AllowReassoc | FastMathFlags::AllowContract),
    }
}

/// The module of `source` for this computer, not yet optimised.
fn emitted<'c, 'f>(
    (llvm, cx): (Loaded, &'c Context),
    source: &'f Source,
    options: Options,
) -> Result<Unit<'c, 'f>, BackendError> {
    emitted_for(Host::get(llvm)?, cx, (&source.function, source.freedom(options.float_order)))
}

/// The module of a function, checked by LLVM's own verifier, not yet optimised.
fn emitted_for<'c, 'f>(
    machine: &'f dyn Machine,
    cx: &'c Context,
    (function, freedom): (&'f Function, Option<FastMathFlags>),
) -> Result<Unit<'c, 'f>, BackendError> {
    hints::silence(cx);
    let unit = Unit::new(cx, function, freedom, machine)?;
    machine.functions(&unit)?;
    unit.module.verify().map_err(|error| failure(error.to_string()))?;
    Ok(unit)
}

/// The stage that `:show llvm` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Emitted,
    Optimised,
}

/// The LLVM IR of a kernel.
///
/// # Errors
/// As compiling it.
pub fn llvm_text(function: &Verified<Function>, stage: Stage, options: Options) -> Result<String, BackendError> {
    let llvm = library::ready()?;
    let cx = llvm.context();
    let source = Source::new(function, options)?;
    let unit = emitted((llvm, &cx), &source, options)?;
    if stage == Stage::Optimised {
        optimise::optimise(&unit.module, unit.machine)?;
    }
    Ok(unit.module.print_to_string().to_string())
}

/// The assembly of a kernel, for this processor.
///
/// # Errors
/// As compiling it.
pub fn asm_text(function: &Verified<Function>, options: Options) -> Result<String, BackendError> {
    let llvm = library::ready()?;
    let cx = llvm.context();
    let source = Source::new(function, options)?;
    assembly(&emitted((llvm, &cx), &source, options)?)
}

/// The PTX of a module's only kernel, for a GPU.
///
/// # Errors
/// What PTX lacks, or this back end does not emit; a module without exactly one kernel; as compiling it.
pub fn ptx_of_kernel(module: &Verified<Module>, gpu: Gpu, options: Options) -> Result<String, BackendError> {
    let [kernel] = module.kernels.as_slice() else {
        return Err(super::refused("PTX", &format!("{} GPU kernels and not one", module.kernels.len())));
    };
    let llvm = library::ready()?;
    let (cx, machine) = (llvm.context(), nvptx::Nvptx::new(llvm, gpu));
    let code = assembly(&emitted_for(&machine, &cx, (kernel, freedom(options.float_order)))?)?;
    Ok(nvptx::parameters(kernel) + &code)
}

fn assembly(unit: &Unit<'_, '_>) -> Result<String, BackendError> {
    optimise::optimise(&unit.module, unit.machine)?;
    let buffer = unit
        .machine
        .generator()?
        .write_to_memory_buffer(&unit.module, FileType::Assembly)
        .map_err(|error| failure(error.to_string()))?;
    Ok(String::from_utf8_lossy(buffer.as_slice()).into_owned())
}

/// What LLVM refuses though loops are verified: a defect here, reported rather than fatal. Nothing runs instead.
fn failure(reason: impl Into<String>) -> BackendError {
    BackendError::Refused { target: NAME, reason: reason.into() }
}

/// What this machine or this library of LLVM lacks: something else may run the loops.
fn lacking(reason: impl Into<String>) -> BackendError {
    BackendError::Unsupported { target: NAME, reason: reason.into() }
}

impl From<BuilderError> for BackendError {
    fn from(error: BuilderError) -> Self {
        failure(error.to_string())
    }
}
