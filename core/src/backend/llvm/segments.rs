//! Loops over the entries of a segment: short ones as they are written, long ones as LLVM makes them.
//!
//! LLVM unrolls such a loop eightfold, what does not fill eight first, or gathers into vectors where it may regroup
//! sums. Most rows of sparse matrices have fewer entries than that pays for: a processor mispredicts where the rest
//! ends and once more where the unrolled loop begins. So there are two loops, and a branch that a matrix of short
//! rows nearly always takes the same way.

use inkwell::{IntPredicate, attributes::AttributeLoc};

use super::{
    emit::{Emitted, Emitter},
    failure, hints,
    statements::Range,
};
use crate::loops::{ArrayId, ArrayType, Function, Stmt, uses::Uses, visit};

/// Segments of so many entries are long.
const LONG: u64 = 16;

impl<'c> Emitter<'_, 'c, '_> {
    /// A loop, twice where it is one over a segment.
    pub(super) fn segment_for(&mut self, range: Range<'c>, body: &[Stmt]) -> Emitted<()> {
        if !walks_segment(self.function(), body) {
            return self.serial_for(range, body).map(drop);
        }
        self.keep_copies()?;
        let length = self.b.build_int_sub(range.hi, range.lo, "length")?;
        let long = self.types().index().const_int(LONG, false);
        let is_long = self.b.build_int_compare(IntPredicate::SGE, length, long, "")?;
        let (rolled, unrolled, after) = (self.block("short"), self.block("long"), self.block("after"));
        self.b.build_conditional_branch(is_long, unrolled, rolled)?;
        self.b.position_at_end(rolled);
        let branch = self.serial_for(range, body)?;
        hints::as_written(self.unit.cx, branch)?;
        self.b.build_unconditional_branch(after)?;
        self.b.position_at_end(unrolled);
        self.serial_for(range, body)?;
        self.b.build_unconditional_branch(after)?;
        self.b.position_at_end(after);
        Ok(())
    }

    /// Keeps LLVM from calling the C library where a loop copies what is left of a segment: mostly an entry or two.
    fn keep_copies(&mut self) -> Emitted<()> {
        let function = self.here()?.get_parent().ok_or_else(|| failure("a loop outside of a function"))?;
        for name in ["no-builtin-memcpy", "no-builtin-memmove"] {
            function.add_attribute(AttributeLoc::Function, self.unit.cx.create_string_attribute(name, ""));
        }
        Ok(())
    }
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
