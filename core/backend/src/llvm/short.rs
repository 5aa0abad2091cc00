//! Loops marked as short are compiled twice: as written for few iterations, and as LLVM optimises them for
//! many.

use inkwell::{IntPredicate, attributes::AttributeLoc};

use super::{
    emit::{Emitted, Emitter},
    failure, hints,
    statements::Range,
};
use nnz_loops::Stmt;

/// So many iterations are many.
const LONG: u64 = 16;

impl<'c> Emitter<'_, 'c, '_> {
    pub(super) fn short_for(&mut self, range: Range<'c>, body: &[Stmt]) -> Emitted<()> {
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
