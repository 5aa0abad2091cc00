//! How much work one run of a kernel is: what timings are divided by.

use super::{Operand, bind, stored};
use crate::{
    ids::{IndexVar, TensorId},
    iterate::{Iterates, Nest, Plan, Term},
    kernel::{Expr, Kernel},
    lower::{ArrayBinding, Lowered},
    storage::Storage,
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
    Cost { flops: flops(&lowered.plan, operands), bytes: bytes(kernel, lowered, operands) }
}

fn flops(plan: &Plan, operands: &[Option<Operand<'_>>]) -> u64 {
    let entries = plan.sparse.as_ref().and_then(|operand| stored(operands, operand.tensor)).map_or(0, Storage::nse);
    let of_nest = |nest: &Nest| {
        let visits = (entries as u64).saturating_mul(values_of(plan, &dense_vars(nest)));
        visits.saturating_mul(operations(plan, &nest.term.body) + 1)
    };
    let alone = plan.everywhere.len() == 1 && plan.nests.is_empty();
    let of_term = |term: &Term| {
        let visits = values_of(plan, &plan.result_vars).saturating_mul(values_of(plan, &term.summed));
        let added = u64::from(!alone || !term.summed.is_empty());
        visits.saturating_mul(operations(plan, &term.body) + added)
    };
    let nests = plan.nests.iter().chain(&plan.workspace).map(of_nest);
    nests.chain(plan.everywhere.iter().map(of_term)).fold(0, u64::saturating_add)
}

/// How many values the variables take together.
fn values_of(plan: &Plan, vars: &[IndexVar]) -> u64 {
    vars.iter().map(|var| plan.vars[var.index()].extent).fold(1, u64::saturating_mul)
}

/// The variables that a nest has dense loops over.
fn dense_vars(nest: &Nest) -> Vec<IndexVar> {
    let dense = nest.graph.loops.iter().filter_map(|l| match l.iterates {
        Iterates::Dense(var) => Some(var),
        Iterates::Level { .. } => None,
    });
    dense.collect()
}

/// The operations of one evaluation of `expr`; a reduction counts once per value of its variables.
fn operations(plan: &Plan, expr: &Expr) -> u64 {
    match expr {
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Cast(..) => 0,
        Expr::Present { .. } => expr.operands().into_iter().map(|operand| operations(plan, operand)).sum(),
        Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Select { .. } => {
            expr.operands().into_iter().map(|operand| operations(plan, operand)).sum::<u64>() + 1
        }
        Expr::Reduce { vars, body, .. } => values_of(plan, vars).saturating_mul(operations(plan, body) + 1),
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        arrays::Values,
        element::Element,
        encoding::named,
        kernel::{Access, BinaryOp, Tensor},
        lower,
        storage::{from_dense, pack},
    };

    #[test]
    fn a_product_with_a_vector_is_two_operations_an_entry() {
        let encoding = Arc::new(named::csr().unwrap());
        let tensor = |name: &str, shape: &[u64], encoding: Option<&Arc<_>>| Tensor {
            name: name.into(),
            element: Element::F64,
            shape: shape.into(),
            encoding: encoding.cloned(),
        };
        let access = |tensor: usize, vars: &[usize]| {
            let vars: Vec<IndexVar> = vars.iter().map(|var| IndexVar::new(*var)).collect();
            Access::of_vars(TensorId::new(tensor), &vars)
        };
        let tensors = vec![tensor("y", &[2], None), tensor("A", &[2, 3], Some(&encoding)), tensor("x", &[3], None)];
        let [a, x] = [access(1, &[0, 1]), access(2, &[1])].map(|access| Box::new(Expr::Access(access)));
        let product = Expr::Binary(BinaryOp::Mul, a, x);
        let kernel = Kernel::new(tensors, vec!["i".into(), "j".into()], access(0, &[0]), product).unwrap();
        let entries = from_dense(&[2, 3], Element::F64, &Values::F64(vec![1.0, 0.0, 2.0, 0.0, 3.0, 0.0])).unwrap();
        let (stored, x) = (pack(&entries, &encoding).unwrap(), Values::F64(vec![1.0; 3]));
        let operands = [None, Some(Operand::Stored(&stored)), Some(Operand::Dense(&x))];
        let cost = of(&kernel, &lower::lower(&kernel).unwrap(), &operands);
        // 3 positions, 3 coordinates and 3 values of 8 bytes; x and y of 3 and 2.
        assert_eq!(cost, Cost { flops: 6, bytes: 8 * (3 + 3 + 3 + 3 + 2) });
    }
}
