//! The LLVM functions of a kernel for the CPU. The code takes every array as its own parameter, because only parameters
//! can be declared not to alias. Callers use a thunk that takes one pointer to a frame: a row of 16-byte
//! slots, one per array (its address) and one per variable.

use inkwell::{
    attributes::AttributeLoc,
    module::Linkage,
    types::{BasicMetadataTypeEnum, BasicTypeEnum, PointerType},
    values::{BasicMetadataValueEnum, FunctionValue, PointerValue},
};

use super::{
    emit::{Emitted, Emitter, Slot, Unit, add_function},
    types::{Types, class},
};
use nnz_loops::{AccessMode, Array, Type, VarId};

/// Bytes of one slot of a frame: the widest value, `complex<f64>`.
pub(super) const SLOT_BYTES: u64 = 16;

/// The name under which the engine finds the whole kernel.
pub(super) const ENTRY: &str = "nnz.entry";

/// The parameters of a function: `leading`, then the kernel's arrays, then the registers of `vars`.
pub(super) struct Signature<'c> {
    pub(super) leading: Vec<BasicTypeEnum<'c>>,
    /// How many of the kernel's arrays, the first ones.
    pub(super) arrays: usize,
    pub(super) vars: Vec<VarId>,
}

/// Makes the functions of a kernel for the CPU: its code, its parallel loops, and the entry
/// `void (team, frame)`.
pub(super) fn emit_kernel(unit: &Unit<'_, '_>) -> Emitted<()> {
    let function = unit.function;
    let vars = (0..function.scalar_params).map(VarId::new).collect();
    let signature = Signature { leading: vec![unit.types().pointer().into()], arrays: function.arrays.len(), vars };
    let code = signature.declare_inner(unit, &format!("kernel.{}", function.name));
    let mut emitter = signature.open(unit, code)?;
    emitter.team = Some(emitter.param(0)?.into_pointer_value());
    emitter.statements(&function.body)?;
    emitter.finish()?;
    signature.thunk(unit, ENTRY, code)?.set_linkage(Linkage::External);
    Ok(())
}

impl<'c> Signature<'c> {
    fn arrays<'f>(&self, unit: &Unit<'c, 'f>) -> impl Iterator<Item = &'f Array> + use<'c, 'f> {
        unit.function.arrays.iter().take(self.arrays)
    }

    /// The type of an array's address.
    fn pointer(&self, unit: &Unit<'c, '_>, array: &Array) -> PointerType<'c> {
        unit.cx.ptr_type(unit.machine.address_space(array.space))
    }

    fn var_types(&self, unit: &Unit<'c, '_>) -> Vec<Type> {
        self.vars.iter().map(|&var| unit.function.var(var).ty).collect()
    }

    pub(super) fn declare(&self, unit: &Unit<'c, '_>, name: &str) -> FunctionValue<'c> {
        let mut params: Vec<BasicMetadataTypeEnum<'c>> = self.leading.iter().map(|&ty| ty.into()).collect();
        params.extend(self.arrays(unit).map(|array| BasicMetadataTypeEnum::from(self.pointer(unit, array))));
        for ty in self.var_types(unit) {
            params.extend(unit.types().registers(class(ty)).into_iter().map(BasicMetadataTypeEnum::from));
        }
        let llvm = add_function(unit, name, &params);
        self.promise(unit, llvm);
        llvm
    }

    /// As [`Signature::declare`], for code that only a thunk calls. Inlined there it would lose the promises about its
    /// parameters, and be harder to read.
    pub(super) fn declare_inner(&self, unit: &Unit<'c, '_>, name: &str) -> FunctionValue<'c> {
        let llvm = self.declare(unit, name);
        llvm.set_linkage(Linkage::Internal);
        llvm.add_attribute(AttributeLoc::Function, unit.enum_attribute("noinline"));
        llvm
    }

    /// Says of each array that nothing else in the function reaches it, and how it is used.
    fn promise(&self, unit: &Unit<'c, '_>, llvm: FunctionValue<'c>) {
        for (at, array) in (self.leading.len()..).zip(self.arrays(unit)) {
            let param = AttributeLoc::Param(u32::try_from(at).unwrap_or(u32::MAX));
            llvm.add_attribute(param, unit.enum_attribute("noalias"));
            match array.mode {
                AccessMode::Read => llvm.add_attribute(param, unit.enum_attribute("readonly")),
                AccessMode::Write => llvm.add_attribute(param, unit.enum_attribute("writeonly")),
                AccessMode::ReadWrite => {}
            }
        }
    }

    /// Starts filling a declared function, its arrays and variables bound to its parameters.
    pub(super) fn open<'u, 'f>(&self, unit: &'u Unit<'c, 'f>, llvm: FunctionValue<'c>) -> Emitted<Emitter<'u, 'c, 'f>> {
        let mut emitter = Emitter::new(unit, llvm);
        let mut at = self.leading.len();
        for array in self.arrays(unit) {
            let pointer = emitter.param(at)?.into_pointer_value();
            pointer.set_name(&array.name);
            emitter.arrays.push(pointer);
            at += 1;
        }
        for (&var, ty) in self.vars.iter().zip(self.var_types(unit)) {
            let count = unit.types().registers(class(ty)).len();
            let registers = (at..at + count).map(|at| emitter.param(at)).collect::<Emitted<Vec<_>>>()?;
            registers.iter().for_each(|register| register.set_name(&unit.function.var(var).name));
            emitter.vars.insert(var, Slot::Value(emitter.typed(ty, &registers)?));
            at += count;
        }
        Ok(emitter)
    }

    /// A function that takes `leading` and a frame, and calls `code`.
    pub(super) fn thunk(&self, unit: &Unit<'c, '_>, name: &str, code: FunctionValue<'c>) -> Emitted<FunctionValue<'c>> {
        let mut params: Vec<BasicMetadataTypeEnum<'c>> = self.leading.iter().map(|&ty| ty.into()).collect();
        params.push(unit.types().pointer().into());
        let llvm = add_function(unit, name, &params);
        llvm.set_linkage(Linkage::Internal);
        let e = Emitter::new(unit, llvm);
        let mut args: Vec<BasicMetadataValueEnum<'c>> =
            (0..self.leading.len()).map(|at| Ok(e.param(at)?.into())).collect::<Emitted<_>>()?;
        let frame = e.param(self.leading.len())?.into_pointer_value();
        for (slot, registers) in self.slots(unit) {
            for (part, register) in registers.into_iter().enumerate() {
                let address = slot_address(&e, frame, slot, part, register)?;
                args.push(e.b.build_load(register, address, "")?.into());
            }
        }
        e.b.build_call(code, &args, "")?;
        e.finish()?;
        Ok(llvm)
    }

    /// The slots of the frame: where each lies, and its registers.
    fn slots(&self, unit: &Unit<'c, '_>) -> Vec<(usize, Vec<BasicTypeEnum<'c>>)> {
        let types: Types<'c> = unit.types();
        let arrays = self.arrays(unit).map(|array| vec![self.pointer(unit, array).into()]);
        let vars = self.var_types(unit).into_iter().map(|ty| types.registers(class(ty)));
        arrays.chain(vars).enumerate().collect()
    }

    /// A frame on `e`'s stack with its arrays and the present values of `vars`.
    pub(super) fn frame(&self, e: &Emitter<'_, 'c, '_>) -> Emitted<PointerValue<'c>> {
        let slots = u32::try_from(e.arrays.len() + self.vars.len()).unwrap_or(u32::MAX);
        let row = e.types().index().array_type(2).array_type(slots);
        let frame = e.stack(row.into(), "frame")?;
        for (slot, &array) in e.arrays.iter().enumerate() {
            let address = slot_address(e, frame, slot, 0, e.types().pointer().into())?;
            e.b.build_store(address, array)?;
        }
        for (slot, &var) in (e.arrays.len()..).zip(&self.vars) {
            for (part, register) in e.read_var(var)?.parts.registers().into_iter().enumerate() {
                let address = slot_address(e, frame, slot, part, register.get_type())?;
                e.b.build_store(address, register)?;
            }
        }
        Ok(frame)
    }
}

/// The address of register `part` of a slot: its registers lie side by side.
fn slot_address<'c>(
    e: &Emitter<'_, 'c, '_>,
    frame: PointerValue<'c>,
    slot: usize,
    part: usize,
    register: BasicTypeEnum<'c>,
) -> Emitted<PointerValue<'c>> {
    let float = if let BasicTypeEnum::FloatType(float) = register { Some(float) } else { None };
    let part_bytes = float.map_or(SLOT_BYTES, |float| u64::from(float.get_bit_width() / 8));
    let offset = e.types().index().const_int(slot as u64 * SLOT_BYTES + part as u64 * part_bytes, false);
    // SAFETY: frames have a slot for each array and variable, and two parts at most fill one.
    Ok(unsafe { e.b.build_in_bounds_gep(e.types().int(8), frame, &[offset], "")? })
}
