//! The work of one run of a kernel, estimated before it runs; it decides how many threads a run gets. [`super::work`]
//! counts what the loops of a run really do.

use super::{Operand, sizes, stored};
use nnz_base::ids::{IndexVar, TensorId};
use nnz_kernel::{Access, Expr, Kernel, ReduceOp};
use nnz_plan::{
    iterate::{Plan, ResultPlan, SparseOperand, Term, find, taken_apart, zero},
    lower::{ArrayBinding, Lowered},
};

/// The estimated operations and memory of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Arithmetic on values as written in the expression: every operation, and one addition per entry that is added up.
    /// Entries that are merged are assumed to be spread evenly.
    pub flops: u64,
    /// Every array read once and the result written once.
    pub bytes: u64,
}

impl Cost {
    /// The number of `threads` that the run keeps busy. Waking a thread takes some 30 microseconds, so one thread
    /// runs what takes it less than 100, at 15 bytes from a cache or 8 operations per nanosecond.
    pub(super) fn threads(self, threads: usize) -> usize {
        const BYTES: u64 = 1_500_000;
        const FLOPS: u64 = 800_000;
        if self.bytes < BYTES && self.flops < FLOPS { 1 } else { threads }
    }
}

pub(super) fn of(lowered: &Lowered, operands: &[Option<Operand<'_>>]) -> Cost {
    let counter = Counter { kernel: &lowered.plan.kernel, plan: &lowered.plan, operands };
    Cost { flops: counter.flops(), bytes: counter.bytes(lowered) }
}

/// From this number of steps on, hidden costs are told; see [`super::Hidden`]. Picked by gut feeling: machine code takes
/// some milliseconds for as many, and evaluation point by point a second.
pub const LONG_FROM: u64 = 1_000_000;

/// The number of points that the loops of a run visit, a lower bound of its work.
pub fn points(lowered: &Lowered, operands: &[Option<Operand<'_>>]) -> u64 {
    Counter { kernel: &lowered.plan.kernel, plan: &lowered.plan, operands }.points()
}

struct Counter<'c> {
    kernel: &'c Kernel,
    plan: &'c Plan,
    operands: &'c [Option<Operand<'c>>],
}

impl Counter<'_> {
    fn points(&self) -> u64 {
        let of_term = |term: &Term| {
            let vars = self.plan_vars(term);
            let absent = |access: &Access| find(&self.plan.operands, access).is_some();
            let everywhere = zero::simplify(self.kernel, &term.body, &absent).is_some();
            let points = if everywhere { values_of(self.kernel, &vars) } else { self.visits(term, &vars) };
            points.saturating_mul(self.inner_points(&term.body, &vars)).saturating_add(self.points_once(&term.body))
        };
        self.terms().iter().map(of_term).fold(0, u64::saturating_add)
    }

    /// The points, for each of loops over `around`, of the largest reduction inside an expression that no sparse operand
    /// shortens. One without some of these variables is computed once for all their values.
    fn inner_points(&self, expr: &Expr, around: &[IndexVar]) -> u64 {
        let below = expr.operands().into_iter().map(|part| self.inner_points(part, around)).max().unwrap_or(1);
        let Some(vars) = self.visits_all(expr) else { return below };
        let free = expr.free_vars();
        if free.is_empty() {
            return 1;
        }
        let others: Vec<IndexVar> = around.iter().copied().filter(|var| !free.contains(var)).collect();
        let points = below.saturating_mul(values_of(self.kernel, vars));
        (points / values_of(self.kernel, &others).max(1)).max(1)
    }

    /// The points of the reductions inside an expression that are computed once for all.
    fn points_once(&self, expr: &Expr) -> u64 {
        if self.visits_all(expr).is_some() && expr.free_vars().is_empty() {
            let Expr::Reduce { vars, body, .. } = expr else { return 0 };
            return values_of(self.kernel, vars).saturating_mul(self.inner_points(body, vars));
        }
        expr.operands().into_iter().map(|part| self.points_once(part)).fold(0, u64::saturating_add)
    }

    /// The variables of a reduction that no sparse operand shortens: it reads none, or takes a zero for each absent entry.
    fn visits_all<'e>(&self, expr: &'e Expr) -> Option<&'e [IndexVar]> {
        let Expr::Reduce { op, over, vars, body } = expr else { return None };
        let shortened = body.accesses().into_iter().any(|access| find(&self.plan.operands, access).is_some());
        let takes_zeros = !over.is_stored() && zero::visits_zeros(self.kernel, op);
        (!shortened || takes_zeros).then_some(vars)
    }

    fn terms(&self) -> Vec<Term> {
        match &self.plan.result {
            ResultPlan::Dense { everywhere, nests, .. } => {
                everywhere.iter().chain(nests.iter().map(|nest| &nest.term)).cloned().collect()
            }
            ResultPlan::Inherited { nest, .. } => vec![nest.term.clone()],
            ResultPlan::Assembled(assembly) => taken_apart(&assembly.combine, &assembly.expr),
        }
    }

    fn flops(&self) -> u64 {
        let of_term = |term: &Term, others: bool| {
            let vars = self.plan_vars(term);
            let added = u64::from(others || !term.summed.is_empty());
            let sparse = |access: &Access| find(&self.plan.operands, access).is_some();
            self.visits(term, &vars).saturating_mul(operations(self.kernel, &term.body, &sparse) + added)
        };
        let terms = self.terms();
        let nested = !matches!(&self.plan.result, ResultPlan::Dense { everywhere, nests, .. } if nests.is_empty() && everywhere.len() == 1);
        let several = terms.len() > 1 || matches!(self.plan.result, ResultPlan::Dense { .. }) && nested;
        terms.iter().map(|term| of_term(term, several)).fold(0, u64::saturating_add)
    }

    /// The variables that the loops of a term run over.
    fn plan_vars(&self, term: &Term) -> Vec<IndexVar> {
        let mut vars = self.kernel.result().indices.clone();
        for var in term.summed.iter().copied().chain(term.body.free_vars()) {
            if !vars.contains(&var) {
                vars.push(var);
            }
        }
        vars
    }

    /// How often a term is evaluated: once per entry of its sparse operand and value of the variables
    /// that this lacks. Of several operands, as often as their entries would meet were they spread evenly.
    fn visits(&self, term: &Term, vars: &[IndexVar]) -> u64 {
        let extent = |var: &IndexVar| self.kernel.var(*var).extent.max(1) as f64;
        let mut met: Vec<&SparseOperand> = Vec::new();
        for id in term.body.accesses().into_iter().filter_map(|access| find(&self.plan.operands, access)) {
            let operand = &self.plan.operands[id.index()];
            if !met.iter().any(|other| std::ptr::eq(*other, operand)) {
                met.push(operand);
            }
        }
        let entries = |operand: &SparseOperand| super::entries(self.kernel, self.operands, operand) as f64;
        let together = |var: &IndexVar| met.iter().filter(|operand| operand.indices.contains(var)).count();
        let all: f64 = met.iter().map(|operand| entries(operand)).product();
        let spread: f64 = vars.iter().map(|var| extent(var).powi(1 - together(var) as i32)).product();
        let least = met.iter().map(|operand| entries(operand)).fold(f64::INFINITY, f64::min);
        let shared = met.len() > 1 && vars.iter().all(|var| together(var) == met.len());
        if shared { least as u64 } else { (all * spread) as u64 }
    }

    fn bytes(&self, lowered: &Lowered) -> u64 {
        // Of a large array the loops may read little.
        let most = self.points().saturating_mul(8 * self.kernel.expr().accesses().len() as u64);
        let bytes = |binding: &ArrayBinding| {
            operand_bytes(self.kernel, self.operands, *binding).map_or(0, |array| array.bytes.min(most))
        };
        let read = lowered.fill.arrays.iter().map(bytes).fold(0, u64::saturating_add);
        read.saturating_add(written_bytes(self.plan))
    }
}

/// The size of an array.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub entries: u64,
    pub bytes: u64,
}

/// The size of an array of an operand; `None` of others.
pub(super) fn operand_bytes(kernel: &Kernel, operands: &[Option<Operand<'_>>], binding: ArrayBinding) -> Option<Size> {
    match binding {
        ArrayBinding::Positions(tensor, _) | ArrayBinding::Coordinates(tensor, _) => {
            let array = stored(operands, tensor).and_then(|storage| super::index_array(storage, binding))?;
            Some(Size { entries: array.len() as u64, bytes: array.bytes() as u64 })
        }
        ArrayBinding::Values(tensor) => Some(match stored(operands, tensor) {
            Some(storage) => Size { entries: storage.values().len() as u64, bytes: storage.values().bytes() as u64 },
            None => dense_size(kernel, tensor),
        }),
        ArrayBinding::Result | ArrayBinding::ResultPositions(_) | ArrayBinding::ResultCoordinates(_) => None,
        ArrayBinding::Workspace | ArrayBinding::Stamps | ArrayBinding::Keys => None,
        ArrayBinding::Starts | ArrayBinding::Ends | ArrayBinding::Cuts | ArrayBinding::OperandCuts(_) => None,
    }
}

/// The bytes of a dense result; the size of a sparse one is known only after the run.
pub(super) fn written_bytes(plan: &Plan) -> u64 {
    let is_dense = matches!(plan.result, ResultPlan::Dense { .. });
    if is_dense { dense_size(&plan.kernel, plan.kernel.result().tensor).bytes } else { 0 }
}

fn dense_size(kernel: &Kernel, tensor: TensorId) -> Size {
    let tensor = kernel.tensor(tensor);
    let entries = u64::try_from(sizes::entries_of(tensor)).unwrap_or(u64::MAX);
    Size { entries, bytes: entries.saturating_mul(tensor.element.bytes() as u64) }
}

/// How many values the variables take together.
fn values_of(kernel: &Kernel, vars: &[IndexVar]) -> u64 {
    vars.iter().map(|var| kernel.var(*var).extent).fold(1, u64::saturating_mul)
}

/// The operations of one visit of `expr`. A reduction counts once per value of its variables, but one over an operand that is
/// `sparse` counts once: its entries are visits.
fn operations(kernel: &Kernel, expr: &Expr, sparse: &dyn Fn(&Access) -> bool) -> u64 {
    let operations = |part: &Expr| operations(kernel, part, sparse);
    match expr {
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Cast(..) => 0,
        Expr::Present { .. } | Expr::Onto { .. } => expr.operands().into_iter().map(&operations).sum(),
        Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Select { .. } => {
            expr.operands().into_iter().map(&operations).sum::<u64>() + 1
        }
        Expr::Reduce { op, vars, body, .. } => {
            let combining = if let ReduceOp::Custom(fold) = op { operations(&fold.combine) } else { 1 };
            let visited = body.accesses().into_iter().any(sparse);
            let loops = if visited { 1 } else { values_of(kernel, vars) };
            loops.saturating_mul(operations(body) + combining)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use nnz_base::{arrays::Values, element::Element};
    use nnz_encoding::named;
    use nnz_kernel::{BinaryOp, Tensor};
    use nnz_plan::lower;
    use nnz_storage::{from_dense, pack};

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
        let cost = of(&lower::lower(&kernel).unwrap(), &operands);
        // 3 positions, 3 coordinates and 3 values of 8 bytes; x and y of 3 and 2.
        assert_eq!(cost, Cost { flops: 6, bytes: 8 * (3 + 3 + 3 + 3 + 2) });
    }
}
