//! The machine that nnz runs on.

use std::sync::OnceLock;

use inkwell::{
    AddressSpace, OptimizationLevel,
    targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple},
};

use super::{Instruction, Machine};
use crate::{
    BackendError,
    llvm::{
        NAME,
        emit::{Emitted, Emitter, Unit},
        functions, lacking,
        library::Loaded,
        statements::Range,
        symbols::Symbol,
    },
};
use nnz_loops::{ForKind, Space, Stmt};

/// This machine's processor, as LLVM names it.
pub(in crate::llvm) struct Host {
    triple: String,
    cpu: String,
    /// As in `+avx2,-avx512f,...`.
    features: String,
}

const PASSES: &str = "default<O3>";

/// For a kernel that merges many operands: analyses of its loops take longer the more there are of them (seconds for
/// 1,500 blocks), and find nothing in merges. `instcombine` by that name alone ends the process unless it finds nothing
/// more to do.
const LONG_PASSES: &str = "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,\
    loop-mssa(licm),gvn,instcombine<no-verify-fixpoint>,simplifycfg)";
/// From so many blocks on.
const LONG: u32 = 500;

impl Host {
    /// Asks the processor, once per process.
    ///
    /// # Errors
    /// A processor family that this build has no code generator for.
    pub(in crate::llvm) fn get(_: Loaded) -> Result<&'static Host, BackendError> {
        static HOST: OnceLock<Host> = OnceLock::new();
        if !cfg!(target_arch = "x86_64") {
            let reason = "this build of nnz makes machine code for x86-64 only; the interpreter runs everywhere".into();
            return Err(BackendError::Unavailable { target: NAME, reason });
        }
        Ok(HOST.get_or_init(|| {
            Target::initialize_x86(&InitializationConfig::default());
            Host {
                triple: TargetMachine::get_default_triple().as_str().to_string_lossy().into_owned(),
                cpu: TargetMachine::get_host_cpu_name().to_string(),
                features: TargetMachine::get_host_cpu_features().to_string(),
            }
        }))
    }

    fn feature(&self, feature: &str) -> bool {
        self.features.split(',').any(|named| named.strip_prefix('+') == Some(feature))
    }
}

impl Machine for Host {
    fn name(&self) -> &'static str {
        NAME
    }

    fn generator(&self) -> Emitted<TargetMachine> {
        let triple = TargetTriple::create(&self.triple);
        Target::from_triple(&triple)
            .map_err(|error| lacking(error.to_string()))?
            .create_target_machine(
                &triple,
                &self.cpu,
                &self.features,
                OptimizationLevel::Default,
                RelocMode::Default,
                CodeModel::JITDefault,
            )
            .ok_or_else(|| lacking(format!("no code generator for {}", self.triple)))
    }

    /// The execution engine would take a generic x86 otherwise.
    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("target-cpu", self.cpu.clone()), ("target-features", self.features.clone())]
    }

    fn passes(&self, blocks: u32) -> &'static str {
        if blocks < LONG { PASSES } else { LONG_PASSES }
    }

    fn address_space(&self, _: Space) -> AddressSpace {
        AddressSpace::default()
    }

    fn has(&self, instruction: Instruction) -> bool {
        match instruction {
            Instruction::RoundToWhole => self.feature("sse4.1"),
            Instruction::ConvertHalf => self.feature("f16c"),
        }
    }

    fn offers(&self, _: Symbol) -> bool {
        true
    }

    fn runs_here(&self) -> bool {
        true
    }

    fn functions(&self, unit: &Unit<'_, '_>) -> Emitted<()> {
        functions::emit_kernel(unit)
    }

    fn for_loop<'c>(&self, e: &mut Emitter<'_, 'c, '_>, range: Range<'c>, kind: ForKind, body: &[Stmt]) -> Emitted<()> {
        match kind {
            ForKind::Parallel => e.parallel_for(range, None, body),
            ForKind::Balanced(by) => e.parallel_for(range, Some(by), body),
            ForKind::Serial => e.serial_for(range, body).map(drop),
            ForKind::Rolled => e.rolled_for(range, body),
            ForKind::Vector => e.vector_for(range, body),
            ForKind::Block(_) | ForKind::Thread(_) | ForKind::Warp | ForKind::Lane => {
                Err(crate::refused(NAME, GPU_LOOP))
            }
        }
    }

    /// Arrays are allocated before the kernel runs (`arguments`), once: only where iterations follow each other can they
    /// have the same one.
    fn statement(&self, e: &mut Emitter<'_, '_, '_>, stmt: &Stmt) -> Emitted<()> {
        let is_once = matches!(stmt, Stmt::Alloc { .. }) && e.team.is_some();
        if is_once { Ok(()) } else { self.refuse(stmt) }
    }
}

const GPU_LOOP: &str = "a GPU loop";

/// The four functions that LLVM's headers define inline; inkwell calls them, and nnz builds without
/// the headers. Each returns 0 for success.
mod native_target {
    use llvm_sys::target::{
        LLVMInitializeX86AsmParser, LLVMInitializeX86AsmPrinter, LLVMInitializeX86Disassembler,
        LLVMInitializeX86Target, LLVMInitializeX86TargetInfo, LLVMInitializeX86TargetMC,
    };

    // SAFETY (all four): LLVM's initialisers may be called any number of times; inkwell calls these
    // under its own lock.

    #[unsafe(no_mangle)]
    unsafe extern "C" fn LLVM_InitializeNativeTarget() -> i32 {
        unsafe {
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
        }
        0
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn LLVM_InitializeNativeAsmPrinter() -> i32 {
        unsafe { LLVMInitializeX86AsmPrinter() };
        0
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn LLVM_InitializeNativeAsmParser() -> i32 {
        unsafe { LLVMInitializeX86AsmParser() };
        0
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn LLVM_InitializeNativeDisassembler() -> i32 {
        unsafe { LLVMInitializeX86Disassembler() };
        0
    }
}
