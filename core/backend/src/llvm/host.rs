//! The machine that kernels are compiled for: the one that nnz runs on.

use std::sync::OnceLock;

use inkwell::{
    OptimizationLevel,
    targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple},
};

use super::failure;
use crate::BackendError;

/// This machine's processor, as LLVM names it.
pub(super) struct Host {
    triple: String,
    pub(super) cpu: String,
    /// As in `+avx2,-avx512f,...`.
    pub(super) features: String,
}

impl Host {
    /// Asks the processor, once per process.
    ///
    /// # Errors
    /// A processor family that this build has no code generator for.
    pub(super) fn get() -> Result<&'static Host, BackendError> {
        static HOST: OnceLock<Host> = OnceLock::new();
        if !cfg!(target_arch = "x86_64") {
            let reason = "this build of nnz makes machine code for x86-64 only; the interpreter runs everywhere".into();
            return Err(BackendError::Unavailable { target: super::NAME, reason });
        }
        super::library::load()?;
        Ok(HOST.get_or_init(|| {
            Target::initialize_x86(&InitializationConfig::default());
            Host {
                triple: TargetMachine::get_default_triple().as_str().to_string_lossy().into_owned(),
                cpu: TargetMachine::get_host_cpu_name().to_string(),
                features: TargetMachine::get_host_cpu_features().to_string(),
            }
        }))
    }

    pub(super) fn has(&self, feature: &str) -> bool {
        self.features.split(',').any(|named| named.strip_prefix('+') == Some(feature))
    }

    /// A code generator for this machine.
    pub(super) fn machine(&self) -> Result<TargetMachine, BackendError> {
        let triple = TargetTriple::create(&self.triple);
        Target::from_triple(&triple)
            .map_err(|error| failure(error.to_string()))?
            .create_target_machine(
                &triple,
                &self.cpu,
                &self.features,
                OptimizationLevel::Default,
                RelocMode::Default,
                CodeModel::JITDefault,
            )
            .ok_or_else(|| failure(format!("no code generator for {}", self.triple)))
    }
}

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
