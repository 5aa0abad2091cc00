//! Gives loops over the entries of a segment a second version for short segments, as
//!
//! ```text
//! if 16 <= pos[i + 1] - pos[i] { for p in pos[i]..pos[i + 1] { .. } } else { for q in pos[i]..pos[i + 1] rolled { .. } }
//! ```
//!
//! LLVM unrolls such a loop eightfold with the remainder first, or gathers into vectors if it may regroup sums. Most rows
//! of sparse matrices are too short for this to pay: the processor mispredicts the end of the remainder and the start of
//! the unrolled loop. A matrix of short rows nearly always takes the branch to the rolled loop.

use std::collections::BTreeSet;

use crate::{ArrayId, ArrayType, Binary, Builder, Copies, ForKind, Function, Map, Stmt, VarId, uses::Uses, visit};

/// So many entries are unrolled, or go into vectors.
const LONG: i64 = 16;

/// `function` with two versions of its loops over segments; `None` if it has none.
pub(super) fn with_rolled_loops(function: &Function) -> Option<Function> {
    let mut found = Vec::new();
    visit::each(&function.body, &mut |stmt| {
        if let Stmt::For { var, kind: ForKind::Serial, body, .. } = stmt
            && walks_segment(function, body)
        {
            found.push(*var);
        }
    });
    if found.is_empty() {
        return None;
    }
    let (b, body) = Builder::reopen(function, found.iter_mut());
    let mut split = Split { b, found: found.into_iter().collect() };
    let body = split.block(&body);
    body.into_iter().for_each(|stmt| split.b.push(stmt));
    Some(split.b.finish())
}

/// Whether a loop with this body is an innermost one and reads coordinates. A loop that increments counters in memory
/// is excluded: unrolled, it has several loads and stores, and a processor predicts better which wait for which.
fn walks_segment(function: &Function, body: &[Stmt]) -> bool {
    let Uses { loaded, stored, .. } = Uses::of(function, body);
    let is_index = |array: &&ArrayId| matches!(function.array(**array).ty, ArrayType::Indices(_));
    let mut indices = loaded.iter().filter(is_index).peekable();
    is_straight(body) && indices.peek().is_some() && indices.all(|array| !stored.contains(array))
}

fn is_straight(body: &[Stmt]) -> bool {
    !visit::any(body, &|stmt| stmt.is_loop() || matches!(stmt, Stmt::Sort { .. }))
}

/// A function while loops of it get their second version.
struct Split {
    b: Builder,
    /// The variables of the loops.
    found: BTreeSet<VarId>,
}

impl Map for Split {
    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let found = stmt.is_loop() && stmt.declared().iter().any(|var| self.found.contains(var));
        if found { self.by_length(stmt.clone()) } else { stmt.map(self) }
    }
}

impl Split {
    /// The unchanged loop for a long segment, and a rolled one for a short segment.
    fn by_length(&mut self, long: Stmt) -> Stmt {
        let Stmt::For { var, lo, hi, body, .. } = long.clone() else { return long };
        let b = &mut self.b;
        let (length, many) = (b.sub(hi, lo), b.index(LONG));
        let is_long = b.index_literal(length).map(|length| length >= LONG);
        let rolled = Stmt::For { var, lo, hi, kind: ForKind::Rolled, body };
        match is_long {
            Some(true) => long,
            Some(false) => rolled,
            None => {
                let cond = b.binary(Binary::Le, many, length);
                let other = b.copied(&[rolled], &mut Copies::default());
                Stmt::If { cond, then: vec![long], other }
            }
        }
    }
}
