use std::process::Command;

use inkwell::{
    OptimizationLevel,
    context::Context,
    memory_buffer::MemoryBuffer,
    targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine},
};
use nnz_loops::Builder;

use super::super::library;
use crate::fatal::{self, Noted};

/// No processor but WebAssembly's has this, and LLVM ends the process for it.
const IMPOSSIBLE: &str = "declare i32 @llvm.wasm.memory.size.i32(i32)\n\
    define i32 @pages() {\n  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)\n  ret i32 %pages\n}\n";

const AGAIN: &str = "NNZ_TESTS_FATAL";

fn compile(text: &str, context: &Context) {
    Target::initialize_x86(&InitializationConfig::default());
    let triple = TargetMachine::get_default_triple();
    let target = Target::from_triple(&triple).expect("LLVM knows this machine");
    let (level, place, model) = (OptimizationLevel::Default, RelocMode::Default, CodeModel::Default);
    let machine = target.create_target_machine(&triple, "generic", "", level, place, model).expect("a machine");
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "impossible");
    let module = context.create_module_from_ir(buffer).expect("it is a module");
    let _ = machine.write_to_memory_buffer(&module, FileType::Object);
}

/// Runs in a process of its own, which ends in it.
#[test]
fn ends_where_it_is_asked_to() {
    if std::env::var_os(AGAIN).is_none() {
        return;
    }
    let llvm = library::load().expect("tests have LLVM");
    fatal::end_with(|message| {
        eprintln!("{message}");
        std::process::exit(1)
    });
    let kernel = Builder::new("unlucky").finish();
    let _noted = Noted::of(&kernel);
    compile(IMPOSSIBLE, &llvm.context());
}

#[test]
fn an_error_that_llvm_ends_for_names_the_kernel() {
    let this = std::env::current_exe().expect("a test is a program");
    let test = ["--exact", "--nocapture", "llvm::tests::fatal::ends_where_it_is_asked_to"];
    let ended = Command::new(this).args(test).env(AGAIN, "1").output().expect("it runs again");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("which is a bug of nnz: "), "{said}");
    assert!(said.contains("kernel unlucky("), "{said}");
    assert!(said.contains("--interpret"), "{said}");
}
