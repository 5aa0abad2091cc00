//! NVIDIA's GPUs, through LLVM's NVPTX back end: a kernel function becomes an `.entry` of PTX, with its arrays (addresses in
//! the GPU's memory) and then its scalars as parameters.

use inkwell::{
    AddressSpace, OptimizationLevel,
    attributes::AttributeLoc,
    module::Linkage,
    targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple},
    types::BasicType,
    values::{BasicMetadataValueEnum, FunctionValue, IntValue, PointerValue},
};

use super::{Instruction, Machine};
use crate::{
    BackendError, Gpu,
    llvm::{
        atomics,
        emit::{Emitted, Emitter, Slot, Unit},
        failure,
        functions::Signature,
        library::Loaded,
        statements::Range,
        symbols::Symbol,
        types::{Class, class},
    },
};
use nnz_loops::{Array, Axis, ForKind, Function, Space, Stmt, VarId, WARP, nest::Nest, sizes};

pub(in crate::llvm) struct Nvptx {
    gpu: Gpu,
}

const NAME: &str = "PTX";
const TRIPLE: &str = "nvptx64-nvidia-cuda";

/// The version of PTX: CUDA 12.0 and later accept it, and it has all that is emitted for these GPUs.
const VERSION: &str = "+ptx80";

/// LLVM's number for the calling convention `ptx_kernel`.
const KERNEL: u32 = 71;

/// LLVM's numbers for the spaces of a GPU.
const GLOBAL: u16 = 1;
const SHARED: u16 = 3;

/// The widest access of one thread, in bytes.
const WIDEST: u32 = 16;

impl Nvptx {
    pub(in crate::llvm) fn new(_: Loaded, gpu: Gpu) -> Nvptx {
        Target::initialize_nvptx(&InitializationConfig::default());
        Nvptx { gpu }
    }

    fn triple(&self) -> TargetTriple {
        TargetTriple::create(TRIPLE)
    }
}

impl Machine for Nvptx {
    fn name(&self) -> &'static str {
        NAME
    }

    fn generator(&self) -> Emitted<TargetMachine> {
        Target::from_triple(&self.triple())
            .map_err(|error| unavailable(error.to_string()))?
            .create_target_machine(
                &self.triple(),
                self.gpu.name(),
                VERSION,
                OptimizationLevel::Default,
                RelocMode::Default,
                CodeModel::Default,
            )
            .ok_or_else(|| unavailable(format!("this LLVM makes no code for {}", self.gpu.name())))
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("target-cpu", self.gpu.name().to_string()), ("target-features", VERSION.to_string())]
    }

    fn passes(&self, _: u32) -> &'static str {
        "default<O3>"
    }

    fn address_space(&self, space: Space) -> AddressSpace {
        match space {
            Space::Device => AddressSpace::from(GLOBAL),
            Space::Shared => AddressSpace::from(SHARED),
            Space::Host | Space::Local => AddressSpace::default(),
        }
    }

    fn has(&self, instruction: Instruction) -> bool {
        match instruction {
            Instruction::RoundToWhole | Instruction::ConvertHalf => true,
        }
    }

    /// The run time is the CPU's.
    fn offers(&self, _: Symbol) -> bool {
        false
    }

    fn runs_here(&self) -> bool {
        false
    }

    fn functions(&self, unit: &Unit<'_, '_>) -> Emitted<()> {
        let function = unit.function;
        let vars = (0..function.scalar_params).map(VarId::new).collect();
        let signature = Signature { leading: Vec::new(), arrays: function.array_params, vars };
        let kernel = signature.declare(unit, &entry_name(&function.name));
        kernel.set_call_conventions(KERNEL);
        require_threads(unit, kernel)?;
        let mut e = signature.open(unit, kernel)?;
        for array in function.arrays.iter().skip(function.array_params) {
            let room = room(&e, array)?;
            e.arrays.push(room);
        }
        e.statements(&function.body)?;
        e.finish()
    }

    fn for_loop<'c>(&self, e: &mut Emitter<'_, 'c, '_>, range: Range<'c>, kind: ForKind, body: &[Stmt]) -> Emitted<()> {
        let warp = e.types().index().const_int(WARP as u64, false);
        let at = match kind {
            ForKind::Serial | ForKind::Vector => return e.serial_for(range, body).map(drop),
            ForKind::Rolled => return e.rolled_for(range, body),
            ForKind::Parallel | ForKind::Balanced(_) => return Err(crate::refused(NAME, "a parallel loop")),
            ForKind::Block(axis) => {
                let block = register(e, "ctaid", axis)?;
                e.b.build_int_nsw_add(range.lo, block, "")?
            }
            ForKind::Thread(axis) => register(e, "tid", axis)?,
            ForKind::Warp => {
                let thread = register(e, "tid", Axis::X)?;
                e.b.build_int_unsigned_div(thread, warp, "")?
            }
            ForKind::Lane => {
                let thread = register(e, "tid", Axis::X)?;
                e.b.build_int_unsigned_rem(thread, warp, "")?
            }
        };
        e.vars.insert(range.var, Slot::index(at));
        e.statements(body)
    }

    fn statement(&self, e: &mut Emitter<'_, '_, '_>, stmt: &Stmt) -> Emitted<()> {
        match stmt {
            // There is room for it since the kernel began.
            Stmt::Alloc { .. } => Ok(()),
            Stmt::Barrier => {
                let all = e.types().int(32).const_zero();
                let barrier = e.declared("llvm.nvvm.barrier.cta.sync.aligned.all", &[])?;
                e.b.build_call(barrier, &[BasicMetadataValueEnum::from(all)], "")?;
                Ok(())
            }
            Stmt::Atomic { .. } => atomics::emit(e, stmt),
            Stmt::LoadVector { .. } | Stmt::StoreVector { .. } | Stmt::Shuffle { .. } => self.refuse(stmt),
            Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::Assign { .. } | Stmt::Store { .. } => self.refuse(stmt),
            Stmt::Sort { .. } | Stmt::Copy { .. } | Stmt::Launch(_) | Stmt::Comment(_) => self.refuse(stmt),
            Stmt::For { .. } | Stmt::While { .. } | Stmt::If { .. } => self.refuse(stmt),
        }
    }
}

fn unavailable(reason: String) -> BackendError {
    BackendError::Unavailable { target: NAME, reason }
}

/// A comment that names the parameters, which LLVM only numbers.
pub(in crate::llvm) fn parameters(kernel: &Function) -> String {
    let arrays = kernel.array_parameters().iter().map(|array| format!("{}, {}", array.name, array.ty));
    let scalars = kernel.vars.iter().take(kernel.scalar_params).flat_map(|var| match class(var.ty) {
        Class::Complex(_) => vec![format!("{}, real part", var.name), format!("{}, imaginary part", var.name)],
        Class::Int(_) | Class::Float(_) => vec![format!("{}, {}", var.name, var.ty)],
    });
    let entry = entry_name(&kernel.name);
    let line = |(at, text)| format!("// {entry}_param_{at}: {text}\n");
    arrays.chain(scalars).enumerate().map(line).collect()
}

/// PTX has letters, digits and `_` in names.
fn entry_name(name: &str) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(legal).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("kernel{name}") }
}

/// A launch has exactly the threads of the kernel's loops.
fn require_threads(unit: &Unit<'_, '_>, kernel: FunctionValue<'_>) -> Emitted<()> {
    let nest = Nest::of(unit.function).map_err(|error| failure(error.to_string()))?;
    let [x, y, z] = nest.threads(unit.function);
    let threads = unit.cx.create_string_attribute("nvvm.reqntid", &format!("{x},{y},{z}"));
    kernel.add_attribute(AttributeLoc::Function, threads);
    Ok(())
}

/// The number of this block or thread, which LLVM's name of the special register begins with.
fn register<'c>(e: &Emitter<'_, 'c, '_>, of: &str, axis: Axis) -> Emitted<IntValue<'c>> {
    let number = e.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{of}.{}", axis.name()), &[], &[])?;
    Ok(e.b.build_int_z_extend(number.into_int_value(), e.types().index(), "")?)
}

/// Memory for an array that the kernel allocates.
fn room<'c>(e: &Emitter<'_, 'c, '_>, array: &Array) -> Emitted<PointerValue<'c>> {
    let len = array.len.and_then(|len| sizes::constant(e.function(), len)).and_then(|len| u32::try_from(len).ok());
    let Some(len) = len else { return Err(crate::refused(NAME, "an array of a length that is no constant")) };
    let entries = e.types().memory(array.ty.repr()).array_type(len);
    if array.space != Space::Shared {
        return e.stack(entries.into(), &array.name);
    }
    let shared = e.unit.module.add_global(entries, Some(AddressSpace::from(SHARED)), &array.name);
    shared.set_linkage(Linkage::Internal);
    shared.set_initializer(&entries.get_undef());
    shared.set_alignment(WIDEST);
    Ok(shared.as_pointer_value())
}
