//! Texts of either language, checked.

use nnz_core::{
    check::{Checked, mlir::check_mlir},
    languages::{FrontEnd, Meaning},
    source::Source,
};

/// The encodings and names of a text, with the checker's own diagnostics alone.
pub fn checked(language: &FrontEnd, source: &Source) -> Checked {
    match language.meaning {
        Meaning::Statements(check) => check(source),
        Meaning::Functions(_) | Meaning::Nothing => check_mlir(source),
    }
}
