//! The machines for which code is emitted. [`Machine`] has all that differs between them.

mod host;
pub(super) mod nvptx;

use inkwell::{AddressSpace, targets::TargetMachine};

pub(super) use self::host::Host;
use super::{
    emit::{Emitted, Emitter, Unit},
    statements::Range,
    symbols::Symbol,
};
use nnz_loops::{ForKind, Space, Stmt};

/// What only some machines do in one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    /// To a whole number: down, up, to the nearest one, towards zero.
    RoundToWhole,
    /// Between `f32` and `f16`.
    ConvertHalf,
}

/// How code for a machine is made.
pub(super) trait Machine {
    /// As errors name it.
    fn name(&self) -> &'static str;
    /// LLVM's code generator, which knows triple, data layout, processor and features.
    fn generator(&self) -> Emitted<TargetMachine>;
    /// The attributes of every function.
    fn attributes(&self) -> Vec<(&'static str, String)>;
    /// The optimisation passes for a module of so many blocks.
    fn passes(&self, blocks: u32) -> &'static str;
    /// LLVM's number for the memory in which an array lies.
    fn address_space(&self, space: Space) -> AddressSpace;
    fn has(&self, instruction: Instruction) -> bool;
    /// Whether there is a function to call.
    fn offers(&self, symbol: Symbol) -> bool;
    /// Whether this process runs the code.
    fn runs_here(&self) -> bool;
    /// Makes the functions of a kernel: how they are called, and their parameters.
    fn functions(&self, unit: &Unit<'_, '_>) -> Emitted<()>;
    /// A loop of any kind.
    fn for_loop<'c>(&self, e: &mut Emitter<'_, 'c, '_>, range: Range<'c>, kind: ForKind, body: &[Stmt]) -> Emitted<()>;
    /// Statements that not every machine has: allocations, vectors, atomics, barriers, shuffles, launches.
    fn statement(&self, e: &mut Emitter<'_, '_, '_>, stmt: &Stmt) -> Emitted<()>;

    /// The error for a statement that it does not have.
    fn refuse(&self, stmt: &Stmt) -> Emitted<()> {
        Err(crate::refused(self.name(), stmt.construct()))
    }
}
