//! Parallel loops on the CPU: the body becomes a function over a range, and the run time divides the range among threads.

use inkwell::values::PointerValue;

use super::{
    emit::{Emitted, Emitter},
    failure,
    functions::Signature,
    statements::Range,
    symbols::Symbol,
};
use nnz_loops::{ArrayId, Stmt, VarId, uses::Uses};

impl<'c> Emitter<'_, 'c, '_> {
    /// A call of the run time on the loop's body, made a function of its own.
    pub(super) fn parallel_for(&mut self, range: Range<'c>, by: Option<ArrayId>, body: &[Stmt]) -> Emitted<()> {
        // Parallel loops stand at the top level only, where the team is at hand.
        let Some(team) = self.team else { return Err(failure("a parallel loop inside another loop")) };
        let vars = Uses::of(self.function(), body).read.into_iter().filter(|var| self.vars.contains_key(var)).collect();
        let index = self.types().index();
        let arrays = self.function().arrays.len();
        let signature = Signature { leading: vec![index.into(), index.into()], arrays, vars };
        let (positions, bytes) = match by {
            Some(array) => (self.arrays[array.index()], self.function().array(array).ty.repr().bytes() as u64),
            None => (self.types().pointer().const_null(), 0),
        };
        let bytes = index.const_int(bytes, false);
        let body = self.outline(&signature, range.var, body)?;
        let frame = signature.frame(self)?;
        let callee = Symbol::ParallelFor.declare(self.unit)?;
        let (lo, hi) = (range.lo.into(), range.hi.into());
        let arguments = [team.into(), lo, hi, body.into(), frame.into(), positions.into(), bytes.into()];
        self.b.build_call(callee, &arguments, "")?;
        Ok(())
    }

    fn outline(&self, signature: &Signature<'c>, var: VarId, body: &[Stmt]) -> Emitted<PointerValue<'c>> {
        let unit = self.unit;
        let name = format!("kernel.{}.{}", self.function().name, self.function().var(var).name);
        let code = signature.declare_inner(unit, &name);
        let mut inner = signature.open(unit, code)?;
        let (lo, hi) = (inner.param(0)?.into_int_value(), inner.param(1)?.into_int_value());
        inner.serial_for(Range { var, lo, hi }, body)?;
        inner.finish()?;
        let thunk = signature.thunk(unit, &format!("{name}.chunk"), code)?;
        Ok(thunk.as_global_value().as_pointer_value())
    }
}
