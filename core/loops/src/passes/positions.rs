//! Divides parallel loops by positions if their iterations each run over a segment, such as a row of CSR: parts have
//! about equally many entries, not equally many iterations.

use crate::{ForKind, Function, Stmt, segments::positions_of, visit};

/// `function` with such loops marked as balanced; `None` if it has none.
pub(super) fn with_balanced_loops(function: &Function) -> Option<Function> {
    let mut marked = function.clone();
    let mut any = false;
    visit::each_mut(&mut marked.body, &mut |stmt| {
        if let Stmt::For { var, kind: kind @ ForKind::Parallel, body, .. } = stmt
            && let Some(array) = positions_of(function, *var, body)
        {
            (*kind, any) = (ForKind::Balanced(array), true);
        }
    });
    any.then_some(marked)
}
