//! Programs, read with the tables of all dialects.

use crate::{
    dialects::DIALECTS,
    ir::{Function, Module},
    read::{self, Costs, Known},
    types::Type,
};
use nnz_base::diagnostic::Diagnostic;
use nnz_check::Checked;

/// The modules of a file, one for each part between `// -----`.
///
/// # Errors
/// All mistakes in the program, in the order of the text.
pub fn modules(checked: &Checked) -> Result<Vec<Module>, Vec<Diagnostic>> {
    read::modules(checked, &DIALECTS)
}

/// All mistakes in the program, in the order of the text, for a check without a run. Those of unchanged functions
/// come from `known`, which afterwards holds the findings of this version.
pub fn mistakes(checked: &Checked, known: &mut Known, costs: Costs) -> Vec<Diagnostic> {
    read::mistakes(checked, &DIALECTS, known, costs)
}

/// The types of the value named at byte `offset`, or of the several results of an operation. Mistakes
/// elsewhere do not matter.
pub fn types_at(checked: &Checked, offset: usize) -> Option<Vec<Type>> {
    read::types_at(checked, &DIALECTS, offset)
}

/// The function that contains byte `offset`, as far as it is understood, and the mistakes in it and in the heads of
/// others.
pub fn function_at(checked: &Checked, offset: usize) -> Option<(Function, Vec<Diagnostic>)> {
    read::function_at(checked, &DIALECTS, offset)
}
