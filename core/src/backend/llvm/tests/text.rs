//! What `:show llvm` and `:show asm` show, and what the options change in it.

use super::{
    super::{FloatOrder, Options, Stage, asm_text, llvm_text},
    spmv,
};
use crate::{
    element::Element,
    loops::{ForKind, Function, Verified, verify},
};

fn kernel(kind: ForKind) -> Verified<Function> {
    verify(spmv(Element::F64, kind)).unwrap()
}

const RELAXED: Options = Options { float_order: FloatOrder::Relaxed, parallel_from_bytes: 0 };

#[test]
fn emitted_code_names_what_the_kernel_names() {
    let text = llvm_text(&kernel(ForKind::Serial), Stage::Emitted, Options::default()).unwrap();
    for part in
        ["@kernel.spmv(", "noalias readonly %A.pos1", "noalias writeonly %y", "i64 %rows", "fmul double", "fadd double"]
    {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    assert!(!text.contains("@nnz_parallel_for"), "{text}");
}

#[test]
fn a_parallel_loop_becomes_a_function() {
    let text = llvm_text(&kernel(ForKind::Parallel), Stage::Emitted, Options::default()).unwrap();
    for part in ["@kernel.spmv.i(i64", "@kernel.spmv.i.chunk(i64", "call void @nnz_parallel_for("] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

#[test]
fn only_the_relaxed_order_lets_sums_be_regrouped() {
    let strict = llvm_text(&kernel(ForKind::Serial), Stage::Optimised, Options::default()).unwrap();
    let relaxed = llvm_text(&kernel(ForKind::Serial), Stage::Optimised, RELAXED).unwrap();
    assert!(
        !strict.contains("reassoc") && !strict.contains("contract") && !strict.contains("llvm.vector.reduce"),
        "{strict}"
    );
    assert!(relaxed.contains("fadd reassoc contract"), "{relaxed}");
    assert!(!strict.contains("alloca double"), "variables are in registers:\n{strict}");
}

#[test]
fn assembly_is_shown() {
    let text = asm_text(&kernel(ForKind::Serial), Options::default()).unwrap();
    assert!(text.contains("kernel.spmv") && text.contains("mulsd") && text.contains("ret"), "{text}");
}
