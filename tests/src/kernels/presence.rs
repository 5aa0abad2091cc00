//! The same for kernels that depend on what is stored: at every point an expression has a value or is absent.

use nnz_core::{
    iterate,
    kernel::{Access, BinaryOp, Expr, Kernel, Over, ReduceOp},
    storage,
};

use super::Data;

pub(super) struct Presence<'k> {
    kernel: &'k Kernel,
    data: &'k [Data],
    /// Where each tensor stores something; `None` of dense ones.
    stored: Vec<Option<Vec<bool>>>,
}

impl<'k> Presence<'k> {
    pub(super) fn new(kernel: &'k Kernel, data: &'k [Data]) -> Self {
        let stored = data.iter().enumerate().map(|(at, data)| if at == 0 { None } else { places(data) });
        Presence { kernel, data, stored: stored.collect() }
    }

    pub(super) fn evaluate(&self) -> Vec<f64> {
        let result = self.kernel.result();
        let mut values = Vec::new();
        let mut point = vec![0; self.kernel.vars().len()];
        let vars: Vec<usize> = result.indices.iter().map(|var| var.index()).collect();
        self.each(&vars, &mut point, &mut |point| {
            values.push(self.value(self.kernel.expr(), &mut point.to_vec()).unwrap_or(0.0));
        });
        values
    }

    fn is_dense(&self) -> bool {
        iterate::is_random_access(self.kernel.tensor(self.kernel.result().tensor))
    }

    /// What the reduction gives that has no term.
    fn over_nothing(&self) -> f64 {
        let op = self.kernel.expr().nodes().into_iter().find_map(|node| match node {
            Expr::Reduce { op, .. } => Some(op),
            _ => None,
        });
        let range = self.kernel.element().int_range();
        match op {
            Some(ReduceOp::Prod) => 1.0,
            Some(ReduceOp::Min) => range.map_or(f64::INFINITY, |(_, high)| high as f64),
            Some(ReduceOp::Max) => range.map_or(f64::NEG_INFINITY, |(low, _)| low as f64),
            _ => 0.0,
        }
    }

    fn each(&self, vars: &[usize], point: &mut Vec<u64>, visit: &mut dyn FnMut(&[u64])) {
        let Some((first, rest)) = vars.split_first() else { return visit(point) };
        for value in 0..self.kernel.vars()[*first].extent {
            point[*first] = value;
            self.each(rest, point, visit);
        }
    }

    fn value(&self, expr: &Expr, point: &mut Vec<u64>) -> Option<f64> {
        match expr {
            Expr::Access(access) => self.entry(access, point),
            Expr::Literal(number) => Some(number.value.as_f64()),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a, point)?, self.value(b, point)?);
                Some(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Min => a.min(b),
                    BinaryOp::Max => a.max(b),
                    other => unreachable!("the notation of these cases has no `{}`", other.name()),
                })
            }
            Expr::Present { of, then, other } => {
                let arm = if self.value(of, point).is_some() { then } else { other };
                self.value(arm.as_ref()?, point)
            }
            Expr::Reduce { op, over, vars, body } => {
                let mut terms = Vec::new();
                let vars: Vec<usize> = vars.iter().map(|var| var.index()).collect();
                self.each(&vars, point, &mut |point| terms.extend(self.value(body, &mut point.to_vec())));
                match (terms.is_empty(), over) {
                    (false, _) => Some(combined(op, &terms)),
                    // A dense result holds what stands for no terms; what a mask leaves out is zero there.
                    (true, Over::StoredOr(_)) => Some(self.over_nothing()),
                    (true, _) => self.is_dense().then(|| self.over_nothing()),
                }
            }
            _ => unreachable!("the notation of these cases has none of these"),
        }
    }

    fn entry(&self, access: &Access, point: &[u64]) -> Option<f64> {
        let at = access.tensor.index();
        let Data { tensor, dense, .. } = &self.data[at];
        let axes = access.vars().zip(&tensor.shape);
        let place = axes.fold(0, |at, (var, size)| at * *size as usize + point[var.index()] as usize);
        self.stored[at].as_ref().is_none_or(|stored| stored[place]).then(|| dense[place])
    }
}

fn combined(op: &ReduceOp, terms: &[f64]) -> f64 {
    match op {
        ReduceOp::Sum => terms.iter().sum(),
        ReduceOp::Prod => terms.iter().product(),
        ReduceOp::Min => terms.iter().copied().fold(f64::INFINITY, f64::min),
        ReduceOp::Max => terms.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        // The terms are alike where this is drawn.
        _ => terms[terms.len() - 1],
    }
}

fn places(data: &Data) -> Option<Vec<bool>> {
    let storage = data.storage().ok()??;
    let stored = storage::stored_places(&storage).ok()?;
    (!iterate::is_random_access(&data.tensor)).then(|| stored.iter().map(|place| !place.is_zero()).collect())
}
