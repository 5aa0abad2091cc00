//! How much work one run of a kernel is: what timings are divided by.

use super::{Operand, bind, stored};
use crate::{
    ids::{IndexVar, TensorId},
    iterate::{Nest, SparseOperand, Term},
    kernel::{Expr, Kernel},
    lower::{ArrayBinding, Lowered},
};

/// Operations and memory of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Arithmetic on values as the expression is written: every operation, and one addition per entry
    /// that is added up. Stored zeros count, padding of blocks too.
    pub flops: u64,
    /// Every array read once and the result written once.
    pub bytes: u64,
}

pub(super) fn of(kernel: &Kernel, lowered: &Lowered, operands: &[Option<Operand<'_>>]) -> Cost {
    let plan = &lowered.plan;
    let nse = plan.sparse.as_ref().and_then(|operand| stored(operands, operand.tensor)).map_or(0, |s| s.nse() as u64);
    let extent = |var: &IndexVar| plan.vars[var.index()].extent;
    let product = |vars: &[IndexVar]| vars.iter().map(extent).fold(1, u64::saturating_mul);
    let of_nest = |nest: &Nest| {
        let dense = plan.sparse.as_ref().map_or(Vec::new(), |operand| dense_vars(nest, operand));
        nse.saturating_mul(product(&dense)).saturating_mul(operations(kernel, lowered, &nest.term.body) + 1)
    };
    let of_term = |term: &Term| {
        let visits = product(&plan.result_vars).saturating_mul(product(&term.summed));
        let adds = u64::from(!term.summed.is_empty() || plan.everywhere.len() + plan.nests.len() > 1);
        visits.saturating_mul(operations(kernel, lowered, &term.body) + adds)
    };
    let nests = plan.nests.iter().chain(&plan.workspace).map(of_nest);
    let flops = nests.chain(plan.everywhere.iter().map(of_term)).fold(0, u64::saturating_add);
    Cost { flops, bytes: bytes(kernel, lowered, operands) }
}

/// The variables that a nest has dense loops over.
fn dense_vars(nest: &Nest, operand: &SparseOperand) -> Vec<IndexVar> {
    let loops = nest.graph.loops.iter().flat_map(|l| l.binds.iter().copied());
    loops.filter(|var| !operand.indices.contains(var) && !is_scatter(nest, *var)).collect()
}

/// The scatter into the workspace binds one variable per dimension of the operand, all by its levels.
fn is_scatter(nest: &Nest, var: IndexVar) -> bool {
    nest.graph
        .loops
        .iter()
        .any(|l| l.binds.contains(&var) && matches!(l.iterates, crate::iterate::Iterates::Level { .. }))
}

/// The operations of one evaluation of `expr`; a reduction counts once per value of its variables.
fn operations(kernel: &Kernel, lowered: &Lowered, expr: &Expr) -> u64 {
    let inner = |expr: &Expr| operations(kernel, lowered, expr);
    match expr {
        Expr::Access(_) | Expr::Literal(_) => 0,
        Expr::Unary(_, a) => inner(a) + 1,
        Expr::Binary(_, a, b) => inner(a) + inner(b) + 1,
        Expr::Reduce { vars, body, .. } => {
            let extents = vars.iter().map(|var| lowered.plan.vars[var.index()].extent);
            extents.fold(1, u64::saturating_mul).saturating_mul(inner(body) + 1)
        }
    }
}

fn bytes(kernel: &Kernel, lowered: &Lowered, operands: &[Option<Operand<'_>>]) -> u64 {
    let dense = |tensor: TensorId| {
        let tensor = kernel.tensor(tensor);
        u64::try_from(bind::entries_of(tensor)).unwrap_or(u64::MAX).saturating_mul(tensor.element.bytes() as u64)
    };
    let of = |binding: &ArrayBinding| match *binding {
        ArrayBinding::Positions(tensor, _) | ArrayBinding::Coordinates(tensor, _) => {
            let array = stored(operands, tensor).and_then(|storage| super::index_array(storage, *binding));
            array.map_or(0, |array| array.bytes() as u64)
        }
        ArrayBinding::Values(tensor) => match stored(operands, tensor) {
            Some(storage) => storage.values().bytes() as u64,
            None => dense(tensor),
        },
        ArrayBinding::Workspace(tensor) => {
            let tensor = kernel.tensor(tensor);
            let entries = tensor.shape.iter().copied().fold(1, u64::saturating_mul);
            entries.saturating_mul(2 * tensor.element.bytes() as u64)
        }
        ArrayBinding::Result => dense(kernel.result().tensor),
    };
    lowered.arrays.iter().map(of).fold(0, u64::saturating_add)
}
