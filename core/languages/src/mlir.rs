//! MLIR programs.

use std::sync::Arc;

use nnz_base::source::Source;
use nnz_check::{
    Checked, Grammar,
    mlir::{check_edited, check_mlir},
};
use nnz_ide::diagnostics::of_program;
use nnz_mlir::{modules, used::used};

use crate::{Answers, Context, Execution, FrontEnd, Known, Program, checked::Text};

pub static MLIR: FrontEnd = FrontEnd {
    name: "MLIR",
    extensions: &[Grammar::Mlir.extension()],
    editor_ids: &["mlir"],
    check,
    may_use_files: |_| false,
    execution: Execution::Functions(program),
};

fn check(source: &Source, _: Context<'_>) -> Arc<dyn Answers> {
    let diagnostics = |checked: &Checked, known: &mut Known, _: &dyn Fn() -> bool| of_program(checked, known.of());
    let checked = Arc::new(check_mlir(source));
    Arc::new(Text {
        checked,
        diagnostics,
        used: |checked| used(checked.clone()),
        edited: |before, source, _| check_edited(before, source),
    })
}

fn program(source: &Source) -> Program {
    let checked = check_mlir(source);
    Program { modules: modules(&checked), checked }
}
