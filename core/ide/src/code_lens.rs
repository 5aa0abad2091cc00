//! `textDocument/codeLens`: the views of every kernel (see [`crate::kernels`]) that lenses above it open. This plans
//! nothing.

use nnz_check::command::View;

/// The lenses above a kernel, from left to right: their titles, and the views that they open.
pub const LENSES: &[(&str, View)] = &[("Loops", View::Loops), ("Plan", View::Plan), ("C", View::C)];

/// The same above a function of SparseTIR: at stage II, and the loops of stage III.
pub const OF_SCRIPTS: &[(&str, View)] = &[("Stage II", View::Lowered), ("Loops", View::Loops)];
