//! What LLVM is asked to do to a loop, as metadata of the branch that closes it.

use std::ptr::null_mut;

use inkwell::{
    context::{AsContextRef, Context},
    values::{AsValueRef, InstructionValue, MetadataValue},
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

const ENABLE: &str = "llvm.loop.vectorize.enable";

/// Asks for vectors even where LLVM thinks that they do not pay.
pub(super) fn vectorize<'c>(cx: &'c Context, branch: InstructionValue<'c>) -> Emitted<()> {
    let kind = cx.get_kind_id("llvm.loop");
    branch.set_metadata(loop_node(cx), kind).map_err(|error| failure(error.to_string()))
}

/// A node with itself and the wish in it, as LLVM wants it.
fn loop_node(cx: &Context) -> MetadataValue<'_> {
    let raw = cx.as_ctx_ref();
    let yes = cx.bool_type().const_int(1, false).as_value_ref();
    // SAFETY: every node is made in the context, from nodes of the context; the temporary one is used once,
    // and gone when it is replaced.
    unsafe {
        let name = LLVMMDStringInContext2(raw, ENABLE.as_ptr().cast(), ENABLE.len());
        let mut wish = [name, LLVMValueAsMetadata(yes)];
        let wish = LLVMMDNodeInContext2(raw, wish.as_mut_ptr(), wish.len());
        let itself = LLVMTemporaryMDNode(raw, null_mut(), 0);
        let mut parts = [itself, wish];
        let node = LLVMMDNodeInContext2(raw, parts.as_mut_ptr(), parts.len());
        LLVMMetadataReplaceAllUsesWith(itself, node);
        MetadataValue::new(LLVMMetadataAsValue(raw, node))
    }
}

/// Keeps LLVM from writing to the terminal when it cannot do what it was asked.
pub(super) fn silence(cx: &Context) {
    extern "C" fn ignore(_: LLVMDiagnosticInfoRef, _: *mut std::ffi::c_void) {}
    // SAFETY: the handler is valid for ever and uses nothing.
    unsafe { LLVMContextSetDiagnosticHandler(cx.as_ctx_ref(), Some(ignore), null_mut()) };
}
