//! Atomic statements, as far as GPUs do them in one instruction: of 32 and 64 bits.

use inkwell::{
    context::AsContextRef,
    values::{AsValueRef, BasicValueEnum, PointerValue},
};
use llvm_sys::{
    LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic,
    LLVMAtomicRMWBinOp::{self, *},
    core::{LLVMBuildAtomicCmpXchgSyncScope, LLVMBuildAtomicRMWSyncScope, LLVMGetSyncScopeID},
};

use super::{
    emit::{Emitted, Emitter, Slot},
    types::{Class, Float, Sign, Typed, class, entry_type},
};
use nnz_loops::{Array, ArrayType, AtomicOp, Space, Stmt, machine::Width};

/// Emits an atomic statement; barriers alone order what threads see, so it is relaxed.
///
/// # Errors
/// One that is no single instruction.
pub(super) fn emit(e: &mut Emitter<'_, '_, '_>, stmt: &Stmt) -> Emitted<()> {
    let Stmt::Atomic { op, array, index, value, old } = stmt else { return e.unit.machine.refuse(stmt) };
    let declared = e.function().array(*array);
    let (Some(scope), Some(kind)) = (scope(declared.space), Kind::of(declared)) else {
        return e.unit.machine.refuse(stmt);
    };
    let at = e.int_expr(*index)?;
    let value = e.expr(*value)?;
    let operand = e.stored(declared.ty, value)?;
    let address = e.entry_address(*array, at)?;
    let found = if let AtomicOp::CompareExchange { expected } = op
        && let Kind::Int(_) = kind
    {
        let expected = e.expr(*expected)?;
        let expected = e.stored(declared.ty, expected)?;
        compare_exchange(e, address, [expected, operand], scope)?
    } else {
        let Some(instruction) = kind.instruction(*op) else { return e.unit.machine.refuse(stmt) };
        exchange(e, instruction, (address, operand), scope)
    };
    if let Some(old) = old {
        let value = Typed { ty: entry_type(declared.ty), parts: e.loaded(declared.ty, found)? };
        e.vars.insert(*old, Slot::Value(value));
    }
    Ok(())
}

/// The threads that may meet at an entry.
fn scope(space: Space) -> Option<&'static str> {
    match space {
        Space::Shared => Some("block"),
        Space::Device => Some("device"),
        Space::Host | Space::Local => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Float,
    Int(Sign),
    /// Of positions or coordinates narrower than `Index`, in which they are compared.
    Narrow,
}

impl Kind {
    /// `None` for entries that no instruction changes.
    fn of(array: &Array) -> Option<Kind> {
        match (array.ty, class(entry_type(array.ty))) {
            (ArrayType::Indices(Width::W32), _) => Some(Kind::Narrow),
            (ArrayType::Indices(Width::W64), _) => Some(Kind::Int(Sign::Signed)),
            (ArrayType::Indices(_), _) => None,
            (_, Class::Float(Float::F32 | Float::F64)) => Some(Kind::Float),
            (_, Class::Int(int)) if int.width == int.bits && int.bits >= 32 => Some(Kind::Int(int.sign)),
            _ => None,
        }
    }

    fn instruction(self, op: AtomicOp) -> Option<LLVMAtomicRMWBinOp> {
        Some(match (op, self) {
            (AtomicOp::Exchange, _) => LLVMAtomicRMWBinOpXchg,
            (AtomicOp::Add, Kind::Float) => LLVMAtomicRMWBinOpFAdd,
            (AtomicOp::Add, _) => LLVMAtomicRMWBinOpAdd,
            (AtomicOp::Min, Kind::Int(Sign::Signed)) => LLVMAtomicRMWBinOpMin,
            (AtomicOp::Max, Kind::Int(Sign::Signed)) => LLVMAtomicRMWBinOpMax,
            (AtomicOp::Min, Kind::Int(Sign::Unsigned)) => LLVMAtomicRMWBinOpUMin,
            (AtomicOp::Max, Kind::Int(Sign::Unsigned)) => LLVMAtomicRMWBinOpUMax,
            (AtomicOp::And, Kind::Int(_) | Kind::Narrow) => LLVMAtomicRMWBinOpAnd,
            (AtomicOp::Or, Kind::Int(_) | Kind::Narrow) => LLVMAtomicRMWBinOpOr,
            (AtomicOp::Xor, Kind::Int(_) | Kind::Narrow) => LLVMAtomicRMWBinOpXor,
            _ => return None,
        })
    }
}

fn scope_number(e: &Emitter<'_, '_, '_>, scope: &str) -> u32 {
    // SAFETY: the context is alive, and the name is given with its length.
    unsafe { LLVMGetSyncScopeID(e.unit.cx.as_ctx_ref(), scope.as_ptr().cast(), scope.len()) }
}

fn exchange<'c>(
    e: &Emitter<'_, 'c, '_>,
    instruction: LLVMAtomicRMWBinOp,
    (address, operand): (PointerValue<'c>, BasicValueEnum<'c>),
    scope: &str,
) -> BasicValueEnum<'c> {
    let (address, operand) = (address.as_value_ref(), operand.as_value_ref());
    let number = scope_number(e, scope);
    // SAFETY: the builder stands in a block; address and operand are of its context, and the operand is what the
    // instruction takes (`Kind::instruction`). The result is of the operand's type.
    unsafe {
        let order = LLVMAtomicOrderingMonotonic;
        BasicValueEnum::new(LLVMBuildAtomicRMWSyncScope(e.b.as_mut_ptr(), instruction, address, operand, order, number))
    }
}

fn compare_exchange<'c>(
    e: &Emitter<'_, 'c, '_>,
    address: PointerValue<'c>,
    [expected, new]: [BasicValueEnum<'c>; 2],
    scope: &str,
) -> Emitted<BasicValueEnum<'c>> {
    let number = scope_number(e, scope);
    // SAFETY: as above; expected and new value are of one integer type, and the result is a pair of it and a bit.
    let pair = unsafe {
        let order = LLVMAtomicOrderingMonotonic;
        let (builder, address) = (e.b.as_mut_ptr(), address.as_value_ref());
        let (expected, new) = (expected.as_value_ref(), new.as_value_ref());
        BasicValueEnum::new(LLVMBuildAtomicCmpXchgSyncScope(builder, address, expected, new, order, order, number))
    };
    Ok(e.b.build_extract_value(pair.into_struct_value(), 0, "")?)
}
