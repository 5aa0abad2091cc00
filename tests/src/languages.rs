//! Texts of either language, checked.

use nnz_core::{
    check::{Checked, mlir::check_mlir},
    languages::{Execution, FrontEnd},
    source::Source,
};

/// The encodings and names of a text, with the checker's own diagnostics alone.
pub fn checked(language: &FrontEnd, source: &Source) -> Checked {
    match language.execution {
        Execution::Statements(check) => check(source),
        Execution::Functions(_) | Execution::Arrays(_) | Execution::Nothing => check_mlir(source),
    }
}
