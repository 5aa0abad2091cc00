//! The state of emission: the module being made ([`Unit`]), and the function being filled ([`Emitter`]) with
//! its variables.

use std::collections::HashMap;

use inkwell::{
    attributes::{Attribute, AttributeLoc},
    basic_block::BasicBlock,
    builder::Builder,
    context::Context,
    intrinsics::Intrinsic,
    module::Module,
    types::{BasicMetadataTypeEnum, BasicTypeEnum},
    values::{BasicMetadataValueEnum, BasicValueEnum, FastMathFlags, FunctionValue, IntValue, PointerValue, ValueKind},
};

use super::{
    failure, lacking,
    machine::Machine,
    symbols::Symbol,
    types::{Parts, Typed, Types, class},
};
use crate::{BackendError, fatal::Noted};
use nnz_loops::{ArrayId, ExprId, Function, Type, VarId, uses::reading};

/// The result of emitting; the error is a defect of the emitter, not of the user's kernel.
pub(super) type Emitted<T> = Result<T, BackendError>;

/// One kernel's module, shared by the functions made for it.
pub(super) struct Unit<'c, 'f> {
    pub(super) cx: &'c Context,
    pub(super) module: Module<'c>,
    pub(super) function: &'f Function,
    /// The freedom that LLVM has with floating-point operations, if any.
    pub(super) freedom: Option<FastMathFlags>,
    pub(super) machine: &'f dyn Machine,
    /// For each expression, whether evaluating it reads an array.
    reads: Vec<bool>,
    /// What LLVM meets from here on, it meets in this kernel.
    _noted: Noted,
}

impl<'c, 'f> Unit<'c, 'f> {
    /// # Errors
    /// A processor that LLVM has no code generator for.
    pub(super) fn new(
        cx: &'c Context,
        function: &'f Function,
        freedom: Option<FastMathFlags>,
        machine: &'f dyn Machine,
    ) -> Emitted<Self> {
        let module = cx.create_module(&function.name);
        // Before anything is emitted: the alignment of loads and stores follows from it.
        let generator = machine.generator()?;
        module.set_triple(&generator.get_triple());
        module.set_data_layout(&generator.get_target_data().get_data_layout());
        let (reads, noted) = (reading(function), Noted::of(function));
        Ok(Unit { cx, module, function, freedom, machine, reads, _noted: noted })
    }
    pub(super) fn types(&self) -> Types<'c> {
        Types(self.cx)
    }
    pub(super) fn reads_arrays(&self, expr: ExprId) -> bool {
        self.reads[expr.index()]
    }
    pub(super) fn enum_attribute(&self, name: &str) -> Attribute {
        self.attribute(name, 0)
    }
    pub(super) fn attribute(&self, name: &str, value: u64) -> Attribute {
        self.cx.create_enum_attribute(Attribute::get_named_enum_kind_id(name), value)
    }
}

/// Where a variable is.
#[derive(Clone)]
pub(super) enum Slot<'c> {
    /// It never changes.
    Value(Typed<'c>),
    /// Stack cells, one per register.
    Cells(Vec<PointerValue<'c>>),
}

impl<'c> Slot<'c> {
    pub(super) fn index(value: IntValue<'c>) -> Slot<'c> {
        Slot::Value(Typed::index(value))
    }
}

/// The function being filled.
pub(super) struct Emitter<'u, 'c, 'f> {
    pub(super) unit: &'u Unit<'c, 'f>,
    pub(super) b: Builder<'c>,
    pub(super) llvm: FunctionValue<'c>,
    /// The block of stack cells, left open until [`Emitter::finish`].
    entry: BasicBlock<'c>,
    start: BasicBlock<'c>,
    /// The run's threads; only the kernel's outermost function has it.
    pub(super) team: Option<PointerValue<'c>>,
    pub(super) arrays: Vec<PointerValue<'c>>,
    pub(super) vars: HashMap<VarId, Slot<'c>>,
    /// Expressions evaluated so far in the current statement, innermost conditional branch last.
    pub(super) memo: Vec<HashMap<ExprId, Typed<'c>>>,
}

impl<'u, 'c, 'f> Emitter<'u, 'c, 'f> {
    pub(super) fn new(unit: &'u Unit<'c, 'f>, llvm: FunctionValue<'c>) -> Self {
        let entry = unit.cx.append_basic_block(llvm, "entry");
        let start = unit.cx.append_basic_block(llvm, "start");
        let b = unit.cx.create_builder();
        b.position_at_end(start);
        Emitter {
            unit,
            b,
            llvm,
            entry,
            start,
            team: None,
            arrays: Vec::new(),
            vars: HashMap::new(),
            memo: vec![HashMap::new()],
        }
    }

    /// Ends the function.
    pub(super) fn finish(self) -> Emitted<()> {
        self.b.build_return(None)?;
        self.b.position_at_end(self.entry);
        self.b.build_unconditional_branch(self.start)?;
        Ok(())
    }

    pub(super) fn function(&self) -> &'f Function {
        self.unit.function
    }
    pub(super) fn types(&self) -> Types<'c> {
        self.unit.types()
    }
    pub(super) fn block(&self, name: &str) -> BasicBlock<'c> {
        self.unit.cx.append_basic_block(self.llvm, name)
    }
    pub(super) fn here(&self) -> Emitted<BasicBlock<'c>> {
        self.b.get_insert_block().ok_or_else(|| failure("no block to write to"))
    }
    pub(super) fn param(&self, at: usize) -> Emitted<BasicValueEnum<'c>> {
        let param = u32::try_from(at).ok().and_then(|at| self.llvm.get_nth_param(at));
        param.ok_or_else(|| failure("a parameter is missing"))
    }

    /// Stack cells for a variable of type `ty`, in the entry block.
    pub(super) fn cells(&self, ty: Type, name: &str) -> Emitted<Vec<PointerValue<'c>>> {
        let registers = self.types().registers(class(ty));
        registers.into_iter().map(|register| self.stack(register, name)).collect()
    }

    /// Room on the stack, taken in the entry block.
    pub(super) fn stack(&self, ty: BasicTypeEnum<'c>, name: &str) -> Emitted<PointerValue<'c>> {
        let here = self.here()?;
        self.b.position_at_end(self.entry);
        let cell = self.b.build_alloca(ty, name)?;
        self.b.position_at_end(here);
        Ok(cell)
    }

    pub(super) fn set_cells(&self, cells: &[PointerValue<'c>], value: Typed<'c>) -> Emitted<()> {
        for (&cell, register) in cells.iter().zip(value.parts.registers()) {
            self.b.build_store(cell, register)?;
        }
        Ok(())
    }

    pub(super) fn read_var(&self, id: VarId) -> Emitted<Typed<'c>> {
        let var = self.function().var(id);
        match self.vars.get(&id) {
            Some(Slot::Value(value)) => Ok(*value),
            Some(Slot::Cells(cells)) => self.read_cells(cells, var.ty, &var.name),
            None => Err(failure(format!("variable `{}` is used before it is declared", var.name))),
        }
    }

    pub(super) fn read_cells(&self, cells: &[PointerValue<'c>], ty: Type, name: &str) -> Emitted<Typed<'c>> {
        let types = self.types().registers(class(ty));
        let registers = cells
            .iter()
            .zip(types)
            .map(|(&cell, register)| self.b.build_load(register, cell, name))
            .collect::<Result<Vec<_>, _>>()?;
        self.typed(ty, &registers)
    }

    pub(super) fn typed(&self, ty: Type, registers: &[BasicValueEnum<'c>]) -> Emitted<Typed<'c>> {
        let parts = Parts::from_registers(registers).ok_or_else(|| failure("registers of no known kind"))?;
        Ok(Typed { ty, parts })
    }

    /// The address of entry `index` of an array.
    pub(super) fn entry_address(&self, array: ArrayId, index: IntValue<'c>) -> Emitted<PointerValue<'c>> {
        let declared = self.function().array(array);
        let memory = self.types().memory(declared.ty.repr());
        // SAFETY: loop IR's accesses are inside their arrays (see `loops`), so the address is in bounds.
        Ok(unsafe { self.b.build_in_bounds_gep(memory, self.arrays[array.index()], &[index], "")? })
    }

    /// Calls an LLVM intrinsic overloaded on `overloads`.
    pub(super) fn intrinsic(
        &self,
        name: &str,
        overloads: &[BasicTypeEnum<'c>],
        args: &[BasicMetadataValueEnum<'c>],
    ) -> Emitted<BasicValueEnum<'c>> {
        self.call(self.declared(name, overloads)?, args)
    }

    /// An LLVM intrinsic overloaded on `overloads`.
    pub(super) fn declared(&self, name: &str, overloads: &[BasicTypeEnum<'c>]) -> Emitted<FunctionValue<'c>> {
        let found = Intrinsic::find(name).and_then(|i| i.get_declaration(&self.unit.module, overloads));
        found.ok_or_else(|| lacking(format!("this LLVM has no `{name}`")))
    }

    /// Calls a function of nnz, which has no side effects except through its pointer arguments.
    pub(super) fn runtime(&self, symbol: Symbol, args: &[BasicMetadataValueEnum<'c>]) -> Emitted<BasicValueEnum<'c>> {
        self.call(symbol.declare(self.unit)?, args)
    }

    fn call(&self, callee: FunctionValue<'c>, args: &[BasicMetadataValueEnum<'c>]) -> Emitted<BasicValueEnum<'c>> {
        match self.b.build_call(callee, args, "")?.try_as_basic_value() {
            ValueKind::Basic(value) => Ok(value),
            ValueKind::Instruction(_) => Err(failure("a call gives no value")),
        }
    }

    pub(super) fn select<T: Copy + Into<BasicValueEnum<'c>>>(
        &self,
        cond: IntValue<'c>,
        then: T,
        other: T,
    ) -> Emitted<BasicValueEnum<'c>> {
        Ok(self.b.build_select(cond, then.into(), other.into(), "")?)
    }
    pub(super) fn select_int(
        &self,
        cond: IntValue<'c>,
        then: IntValue<'c>,
        other: IntValue<'c>,
    ) -> Emitted<IntValue<'c>> {
        Ok(self.select(cond, then, other)?.into_int_value())
    }
}

/// Adds a function of `params` that returns nothing and cannot unwind.
pub(super) fn add_function<'c>(
    unit: &Unit<'c, '_>,
    name: &str,
    params: &[BasicMetadataTypeEnum<'c>],
) -> FunctionValue<'c> {
    let llvm = unit.module.add_function(name, unit.cx.void_type().fn_type(params, false), None);
    llvm.add_attribute(AttributeLoc::Function, unit.enum_attribute("nounwind"));
    for (name, value) in unit.machine.attributes() {
        llvm.add_attribute(AttributeLoc::Function, unit.cx.create_string_attribute(name, &value));
    }
    llvm
}
