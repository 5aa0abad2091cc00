//! Dense operands that the innermost loop reads across their rows: each step touches another line of memory. Only loops of
//! reductions inside a term are told of, as in `S(i, j) * sum(k, U(i, k) * V(k, j))`: the others are interchanged by passes.

use super::{Hint, Plan, nests::LoopNest};
use nnz_base::ids::{IndexVar, TensorId};
use nnz_kernel::{Access, Tensor};

/// Rows of fewer bytes share a line of the processor's cache.
const LINE: u64 = 64;

impl Plan {
    /// The hints on such operands, but for the copies that nnz makes itself.
    pub(super) fn strided(&self, is_copy: &dyn Fn(TensorId) -> bool) -> Vec<Hint> {
        let mut hints = Vec::new();
        for nest in self.loop_nests() {
            for access in nest.term.body.accesses().into_iter().filter(|access| !is_copy(access.tensor)) {
                let hint = innermost(&nest, access).and_then(|var| self.across(access, var));
                hints.extend(hint.filter(|hint| !hints.contains(hint)));
            }
        }
        hints
    }

    /// The hint if a step of `var` leaves the row of a large dense tensor.
    fn across(&self, access: &Access, var: IndexVar) -> Option<Hint> {
        let tensor = self.kernel.tensor(access.tensor);
        let at = access.indices.iter().position(|index| index.vars().any(|used| used == var))?;
        let row: u64 = tensor.shape.get(at + 1..)?.iter().product();
        let is_across = is_stored_by_rows(tensor) && row * tensor.element.bytes() as u64 >= LINE;
        let last = access.indices.last()?.vars().any(|used| used == var);
        (is_across && !last && at + 1 < access.indices.len()).then(|| Hint::Strided {
            access: self.kernel.expr_text(&nnz_kernel::Expr::Access(access.clone())),
            tensor: tensor.name.clone(),
            indices: access.vars().map(|used| self.kernel.var(used).name.clone()).collect(),
            var: self.kernel.var(var).name.clone(),
            places: tensor.places(),
        })
    }
}

/// The innermost of the loops around a term, if a reduction in the term binds it and the access depends on it.
fn innermost(nest: &LoopNest, access: &Access) -> Option<IndexVar> {
    let used = |var: &&IndexVar| nest.term.body.mentions(**var);
    let innermost = nest.loops.iter().rev().find(used).copied()?;
    let is_inside = nest.term.body.bound_vars().contains(&innermost);
    (is_inside && access.vars().any(|var| var == innermost)).then_some(innermost)
}

/// Whether the last dimension is contiguous.
fn is_stored_by_rows(tensor: &Tensor) -> bool {
    tensor.encoding.is_none()
}
