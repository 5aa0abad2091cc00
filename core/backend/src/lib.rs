//! Back ends: pure functions of verified loop IR. The interpreter is the reference and always available; LLVM
//! is a cargo feature. `compile` never panics on a verified function.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod arguments;
pub mod c;
pub mod cache;
#[cfg(feature = "llvm")]
pub mod fatal;
pub mod interp;
#[cfg(feature = "llvm")]
pub mod llvm;
pub mod mlir;

pub use cache::Cache;
pub use interp::{Brief, Interpreter, Recorder};
#[cfg(feature = "llvm")]
pub use llvm::Llvm;

use std::sync::{Arc, OnceLock};

use nnz_base::{
    arrays::{IndexArray, Values},
    diagnostic::Code,
    element::Scalar,
    memory::NoRoom,
};
use nnz_loops::{
    Function, Verified,
    passes::{self, Broken, NoGrid, Pass},
};

/// Where a kernel runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Interpreter,
    /// This machine's CPU, through LLVM.
    Cpu,
}

/// The purpose for which passes prepare loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    Run(Target, FloatOrder),
    C,
    Mlir,
}

/// The passes that the loops of a kernel go through, in this order.
pub fn passes(form: Form) -> &'static [Pass] {
    match form {
        Form::Run(Target::Interpreter, _) => &[],
        Form::Run(Target::Cpu, FloatOrder::Strict) => &[Pass::Tile, Pass::Abreast, Pass::Positions, Pass::Segments],
        // Where sums may be regrouped LLVM makes vectors of each.
        Form::Run(Target::Cpu, FloatOrder::Relaxed) => &[Pass::Tile, Pass::Positions, Pass::Segments],
        // Neither C nor MLIR has loops that are divided by positions. C is compiled with -O2, which unrolls no loops
        // over segments, and in MLIR none can be kept rolled.
        Form::C | Form::Mlir => &[Pass::Tile, Pass::Abreast],
    }
}

/// A function after its passes, as it runs or is printed.
///
/// # Errors
/// A pass that broke a rule of the loops, a bug of nnz.
pub fn passed(form: Form, function: &Verified<Function>) -> Result<Verified<Function>, Broken> {
    passes::run(passes(form), function)
}

/// A family of GPUs for which PTX is emitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gpu {
    /// As A100.
    #[default]
    Sm80,
    /// As H100.
    Sm90,
}

impl Gpu {
    pub const ALL: &'static [Gpu] = &[Gpu::Sm80, Gpu::Sm90];

    /// As LLVM and `ptxas` name it.
    pub fn name(self) -> &'static str {
        match self {
            Gpu::Sm80 => "sm_80",
            Gpu::Sm90 => "sm_90",
        }
    }
}

/// Whether floating-point operations may be reordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FloatOrder {
    /// As written: the same result on every back end, bit for bit.
    #[default]
    Strict,
    /// Sums may be regrouped and a product fused into a sum: faster, with other last digits.
    Relaxed,
}

/// An array bound to a parameter, in the order of `Function::array_parameters`.
pub enum Argument<'a> {
    Values(&'a Values),
    ValuesMut(&'a mut Values),
    Indices(&'a IndexArray),
    IndicesMut(&'a mut IndexArray),
}

/// Why a back end failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    #[error("{target} cannot run this kernel: {reason}")]
    Unsupported { target: &'static str, reason: String },
    #[error("argument {at} does not fit the kernel's parameter `{parameter}`: {reason}")]
    BadArgument { at: usize, parameter: String, reason: String },
    #[error("the kernel went wrong at run time: {0}")]
    Failed(String),
    /// See [`Brief`].
    #[error("the kernel takes more steps than it was given")]
    TooManySteps,
    /// A bug of nnz: what it made of verified loops is refused.
    #[error("{target} refuses what nnz made of the loops: {reason}")]
    Refused { target: &'static str, reason: String },
    /// A bug of nnz.
    #[error(transparent)]
    Broken(#[from] Broken),
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    #[error("{target} is not available: {reason}")]
    Unavailable { target: &'static str, reason: String },
}

impl BackendError {
    pub fn code(&self) -> Code {
        match self {
            BackendError::Broken(_) | BackendError::Refused { .. } => Code::CompilerBug,
            BackendError::NoRoom(_) => Code::TooLarge,
            BackendError::Unsupported { .. }
            | BackendError::BadArgument { .. }
            | BackendError::Failed(_)
            | BackendError::TooManySteps
            | BackendError::Unavailable { .. } => Code::RunFailed,
        }
    }

    /// The loops, if the error is a bug of nnz.
    pub fn loops(&self) -> Option<&str> {
        if let BackendError::Broken(Broken { loops, .. }) = self { Some(loops) } else { None }
    }

    /// The same with another text, if it went wrong at run time.
    fn retold(self, text: impl FnOnce(String) -> String) -> BackendError {
        if let BackendError::Failed(told) = self { BackendError::Failed(text(told)) } else { self }
    }
}

impl From<NoGrid> for BackendError {
    fn from(why: NoGrid) -> BackendError {
        if let NoGrid::Broken(broken) = why {
            return BackendError::Broken(broken);
        }
        BackendError::Unsupported { target: "PTX", reason: why.to_string() }
    }
}

/// The error for a construct that a back end does not take ([`nnz_loops::Stmt::construct`]).
fn refused(target: &'static str, construct: &str) -> BackendError {
    BackendError::Unsupported { target, reason: format!("it has {construct}") }
}

/// Turns verified loops into something that runs.
///
/// # Safety
/// The executable of [`Backend::compile`] does what the function does, and touches nothing but its arguments.
pub unsafe trait Backend {
    /// # Errors
    /// What this back end cannot do.
    fn compile(&self, function: &Verified<Function>) -> Result<Arc<dyn Executable>, BackendError>;
}

/// The back end of a target, which keeps the order of floating-point operations.
///
/// # Errors
/// [`BackendError::Unavailable`] if this build or this machine has none.
pub fn lookup(target: Target) -> Result<Box<dyn Backend>, BackendError> {
    lookup_with(target, FloatOrder::Strict)
}

/// As [`lookup`], for kernels whose floating-point operations may be reordered as `order` says; the
/// interpreter never reorders them.
///
/// # Errors
/// As [`lookup`].
pub(crate) fn lookup_with(target: Target, order: FloatOrder) -> Result<Box<dyn Backend>, BackendError> {
    match target {
        Target::Interpreter => Ok(Box::new(Interpreter)),
        Target::Cpu => cpu(order),
    }
}

/// Why kernels for machine code run in the interpreter here; set by [`resolved`].
static WITHOUT_MACHINE_CODE: OnceLock<String> = OnceLock::new();

/// The target that runs the kernels for `target`: on a machine without LLVM the interpreter replaces machine code.
pub fn resolved(target: Target) -> Target {
    if target == Target::Cpu
        && let Some(reason) = absent_llvm()
    {
        WITHOUT_MACHINE_CODE.get_or_init(|| reason);
        return Target::Interpreter;
    }
    target
}

/// The target that runs the kernels for `target`, for runs that may not need machine code: like [`resolved`], but LLVM
/// is not loaded if it is clearly there.
///
/// # Errors
/// `NNZ_LLVM_SO` names a library that cannot be used.
pub fn expected(target: Target) -> Result<Target, BackendError> {
    if target == Target::Cpu && !is_llvm_in_place() {
        let target = resolved(target);
        return lookup(target).map(|_| target);
    }
    Ok(target)
}

/// Why there is no machine code and what would help, after a kernel has had to run without it. Edges report this once.
pub fn without_machine_code() -> Option<&'static str> {
    WITHOUT_MACHINE_CODE.get().map(String::as_str)
}

#[cfg(feature = "llvm")]
fn absent_llvm() -> Option<String> {
    match llvm::load() {
        Err(llvm::Missing::Absent(reason)) => Some(reason),
        Ok(_) | Err(llvm::Missing::Refused(_)) => None,
    }
}

#[cfg(feature = "llvm")]
fn is_llvm_in_place() -> bool {
    llvm::is_in_place()
}

#[cfg(not(feature = "llvm"))]
fn is_llvm_in_place() -> bool {
    false
}

#[cfg(not(feature = "llvm"))]
fn absent_llvm() -> Option<String> {
    Some(NOT_BUILT_IN.to_string())
}

#[cfg(not(feature = "llvm"))]
const NOT_BUILT_IN: &str = "this nnz was built without it (cargo feature `llvm`)";

#[cfg(feature = "llvm")]
fn cpu(float_order: FloatOrder) -> Result<Box<dyn Backend>, BackendError> {
    Ok(Box::new(Llvm::new(llvm::Options { float_order })?))
}

#[cfg(not(feature = "llvm"))]
fn cpu(_: FloatOrder) -> Result<Box<dyn Backend>, BackendError> {
    let reason = NOT_BUILT_IN.to_string();
    Err(BackendError::Unavailable { target: "LLVM", reason })
}

/// A compiled kernel.
pub trait Executable: Send + Sync {
    /// Runs with `arrays` bound to the array parameters and `scalars` to the scalar ones, using at
    /// most `threads` threads.
    ///
    /// # Safety
    /// With these arguments every access of the loops is inside its array, and no two iterations of a parallel loop
    /// write one entry. Lowering makes such loops, and `nnz-run` binds such arguments; of other loops (parsed ones, say)
    /// only the caller can know. [`Interpreter::run`] looks, and is safe.
    ///
    /// # Errors
    /// Arguments that do not fit; faults that the back end detects.
    unsafe fn run(&self, arrays: &mut [Argument<'_>], scalars: &[Scalar], threads: usize) -> Result<(), BackendError>;
}
