//! The names of loops in schedules.

use super::Lowerer;
use crate::iterate::OperandId;
use nnz_base::ids::{IndexVar, TensorId};
use nnz_kernel::LoopName;
use nnz_loops::VarId;

/// A loop that a schedule can name. Several may share a name: those of different terms, or of the two
/// runs that count and fill a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedLoop {
    pub name: LoopName,
    pub over: LoopOver,
}

/// The range of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopOver {
    /// `for var` over every number between two bounds: coordinates, or positions that a schedule has named.
    Range { var: VarId },
    /// `for var` over the positions of entries; the loop's name stands for their coordinates.
    Entries { var: VarId, tensor: TensorId },
    /// A `while` that merges what several operands store: it has no range.
    Merged { tensors: Vec<TensorId> },
}

impl LoopOver {
    /// The variable of a `for`.
    pub fn var(&self) -> Option<VarId> {
        match self {
            LoopOver::Range { var } | LoopOver::Entries { var, .. } => Some(*var),
            LoopOver::Merged { .. } => None,
        }
    }
    pub(crate) fn var_mut(&mut self) -> Option<&mut VarId> {
        match self {
            LoopOver::Range { var } | LoopOver::Entries { var, .. } => Some(var),
            LoopOver::Merged { .. } => None,
        }
    }
}

impl Lowerer<'_> {
    pub(super) fn loop_over_coordinates(&mut self, name: &str, var: VarId) {
        self.loops.push(NamedLoop { name: LoopName::new(name), over: LoopOver::Range { var } });
    }

    pub(super) fn loop_over_positions(&mut self, name: &str, var: VarId, of: OperandId) {
        let tensor = self.operand(of).tensor;
        self.loops.push(NamedLoop { name: LoopName::new(name), over: LoopOver::Entries { var, tensor } });
    }

    pub(super) fn merging_loop(&mut self, var: IndexVar, operands: impl Iterator<Item = OperandId>) {
        let tensors = operands.map(|id| self.operand(id).tensor).collect();
        let name = LoopName::new(&*self.kernel.var(var).name);
        self.loops.push(NamedLoop { name, over: LoopOver::Merged { tensors } });
    }
}
