//! The output of `:show llvm` and `:show asm`, and what the options change in it.

use super::super::{FloatOrder, Options, Stage, asm_text, llvm_text};
use nnz_loops::{Function, Verified, parse, verify};

const SPMV: &str = "\
kernel spmv(
  rows: index,
  A.pos1: read indices<u64>,
  A.crd1: read indices<u32>,
  A.values: read values<f64>,
  x: read values<f64>,
  y: write values<f64>,
) {
  for i in 0..rows KIND {
    var sum: f64 = f64(0.0)
    for p in A.pos1[i]..A.pos1[i + 1] {
      sum = sum + A.values[p] * x[A.crd1[p]]
    }
    y[i] = sum
  }
}
";

fn serial() -> Verified<Function> {
    verify(parse(&SPMV.replace("KIND", "")).unwrap()).unwrap()
}

fn parallel() -> Verified<Function> {
    verify(parse(&SPMV.replace("KIND", "parallel")).unwrap()).unwrap()
}

const RELAXED: Options = Options { float_order: FloatOrder::Relaxed };

#[test]
fn emitted_code_names_what_the_kernel_names() {
    let text = llvm_text(&serial(), Stage::Emitted, Options::default()).unwrap();
    for part in
        ["@kernel.spmv(", "noalias readonly %A.pos1", "noalias writeonly %y", "i64 %rows", "fmul double", "fadd double"]
    {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    assert!(!text.contains("@nnz_parallel_for"), "{text}");
}

#[test]
fn a_parallel_loop_becomes_a_function() {
    let text = llvm_text(&parallel(), Stage::Emitted, Options::default()).unwrap();
    for part in ["@kernel.spmv.i(i64", "@kernel.spmv.i.chunk(i64", "call void @nnz_parallel_for("] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

#[test]
fn a_vector_loop_becomes_vectors_where_lanes_can_be_filled() {
    let scale = "kernel scale(n: index, x: read values<f64>, y: write values<f64>,) {\n  for i in 0..n KIND {\n    y[i] = x[i * 3] * f64(2.0)\n  }\n}\n";
    let text = |kind: &str| {
        let function = verify(parse(&scale.replace("KIND", kind)).unwrap()).unwrap();
        llvm_text(&function, Stage::Emitted, Options::default()).unwrap()
    };
    assert!(text("vector").contains("llvm.loop.vectorize.enable"));
    assert!(!text("").contains("llvm.loop.vectorize.enable"));
    // Rows of positions are scattered: LLVM can decline, and says nothing on the terminal.
    let gather = verify(parse(&SPMV.replace("KIND", "vector")).unwrap()).unwrap();
    assert!(llvm_text(&gather, Stage::Optimised, Options::default()).unwrap().contains("fadd double"));
}

#[test]
fn only_the_relaxed_order_lets_sums_be_regrouped() {
    let strict = llvm_text(&serial(), Stage::Optimised, Options::default()).unwrap();
    let relaxed = llvm_text(&serial(), Stage::Optimised, RELAXED).unwrap();
    assert!(
        !strict.contains("reassoc") && !strict.contains("contract") && !strict.contains("llvm.vector.reduce"),
        "{strict}"
    );
    assert!(relaxed.contains("fadd reassoc contract"), "{relaxed}");
    assert!(!strict.contains("alloca double"), "variables are in registers:\n{strict}");
}

#[test]
fn assembly_is_shown() {
    let text = asm_text(&serial(), Options::default()).unwrap();
    assert!(text.contains("kernel.spmv") && text.contains("mulsd") && text.contains("ret"), "{text}");
}
