//! Hints to LLVM about a loop, as metadata of the branch that closes it.

use std::ptr::null_mut;

use inkwell::{
    attributes::AttributeLoc,
    context::{AsContextRef, Context},
    values::{AsValueRef, FunctionValue, InstructionValue, MetadataValue},
};
use llvm_sys::{
    core::{
        LLVMContextSetDiagnosticHandler, LLVMMDNodeInContext2, LLVMMDStringInContext2, LLVMMetadataAsValue,
        LLVMValueAsMetadata,
    },
    debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode},
    prelude::LLVMDiagnosticInfoRef,
};

use super::{emit::Emitted, failure};

/// Asks for vectors even if LLVM estimates that they do not pay.
pub(super) fn vectorize<'c>(cx: &'c Context, branch: InstructionValue<'c>) -> Emitted<()> {
    hint(cx, branch, &[("llvm.loop.vectorize.enable", true)])
}

/// Neither unrolled nor vectorized.
pub(super) fn as_written<'c>(cx: &'c Context, branch: InstructionValue<'c>) -> Emitted<()> {
    hint(cx, branch, &[("llvm.loop.unroll.disable", true), ("llvm.loop.vectorize.enable", false)])
}

/// Keeps LLVM from calling the C library where a loop copies what is left of a segment: mostly an entry or two.
pub(super) fn keep_copies<'c>(cx: &'c Context, function: FunctionValue<'c>) {
    for name in ["no-builtin-memcpy", "no-builtin-memmove"] {
        function.add_attribute(AttributeLoc::Function, cx.create_string_attribute(name, ""));
    }
}

type Wish = (&'static str, bool);

fn hint<'c>(cx: &'c Context, branch: InstructionValue<'c>, wishes: &[Wish]) -> Emitted<()> {
    let kind = cx.get_kind_id("llvm.loop");
    branch.set_metadata(loop_node(cx, wishes), kind).map_err(|error| failure(error.to_string()))
}

/// A node with itself and the wishes in it, as LLVM wants it.
fn loop_node<'c>(cx: &'c Context, wishes: &[Wish]) -> MetadataValue<'c> {
    let raw = cx.as_ctx_ref();
    // SAFETY: every node is made in the context, from nodes of the context; the temporary one is used once,
    // and gone when it is replaced.
    unsafe {
        let wish = |(name, on): &Wish| {
            let on = cx.bool_type().const_int(u64::from(*on), false).as_value_ref();
            let name = LLVMMDStringInContext2(raw, name.as_ptr().cast(), name.len());
            let mut wish = [name, LLVMValueAsMetadata(on)];
            LLVMMDNodeInContext2(raw, wish.as_mut_ptr(), wish.len())
        };
        let itself = LLVMTemporaryMDNode(raw, null_mut(), 0);
        let mut parts: Vec<_> = std::iter::once(itself).chain(wishes.iter().map(wish)).collect();
        let node = LLVMMDNodeInContext2(raw, parts.as_mut_ptr(), parts.len());
        LLVMMetadataReplaceAllUsesWith(itself, node);
        MetadataValue::new(LLVMMetadataAsValue(raw, node))
    }
}

/// Keeps LLVM from writing to the terminal if it cannot fulfil a hint.
pub(super) fn silence(cx: &Context) {
    extern "C" fn ignore(_: LLVMDiagnosticInfoRef, _: *mut std::ffi::c_void) {}
    // SAFETY: the handler is valid for ever and uses nothing.
    unsafe { LLVMContextSetDiagnosticHandler(cx.as_ctx_ref(), Some(ignore), null_mut()) };
}
