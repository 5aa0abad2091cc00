//! Marks loops over the entries of a segment as short.
//!
//! LLVM unrolls such a loop eightfold with the remainder first, or gathers into vectors if it may regroup sums.
//! Most rows of sparse matrices are too short for this to pay: the processor mispredicts the end of the remainder
//! and the start of the unrolled loop. A back end compiles a loop marked as short twice, as written and unrolled,
//! with a branch that a matrix of short rows nearly always takes the same way.

use crate::{ArrayId, ArrayType, ForKind, Function, Stmt, uses::Uses, visit};

/// `function` with loops over segments marked as short; `None` if it has none.
pub(super) fn with_short_loops(function: &Function) -> Option<Function> {
    let mut marked = function.clone();
    let mut any = false;
    visit::each_mut(&mut marked.body, &mut |stmt| {
        if let Stmt::For { kind: kind @ ForKind::Serial, body, .. } = stmt
            && walks_segment(function, body)
        {
            (*kind, any) = (ForKind::Short, true);
        }
    });
    any.then_some(marked)
}

/// Whether a loop with this body is an innermost one and reads coordinates. Not where it counts places up in memory: a
/// processor better tells which loads wait for which stores if there are several of them.
fn walks_segment(function: &Function, body: &[Stmt]) -> bool {
    let Uses { loaded, stored, .. } = Uses::of(function, body);
    let is_index = |array: &&ArrayId| matches!(function.array(**array).ty, ArrayType::Indices(_));
    let mut indices = loaded.iter().filter(is_index).peekable();
    is_straight(body) && indices.peek().is_some() && indices.all(|array| !stored.contains(array))
}

fn is_straight(body: &[Stmt]) -> bool {
    !visit::any(body, &|stmt| stmt.is_loop() || matches!(stmt, Stmt::Sort { .. }))
}
