//! The meaning of a kernel, by brute force: every coordinate of the result, every value of every summed
//! variable, dense arrays only. Written from the definition, not from the compiler.

use nnz_core::{
    element::Element,
    functions::UnaryFunction,
    kernel::{Access, BinaryOp, Expr, Kernel, ReduceOp, UnaryOp},
};

use super::{Data, presence::Presence};

/// The result, row-major. Arithmetic is in f64: the data are exact there.
pub fn evaluate(kernel: &Kernel, data: &[Data]) -> Vec<f64> {
    if kernel.expr().nodes().into_iter().any(Expr::asks_for_presence) {
        return Presence::new(kernel, data).evaluate();
    }
    let oracle = Oracle { kernel, data };
    let mut result = Vec::new();
    let mut point = vec![0; kernel.vars().len()];
    oracle.each(&kernel.result().indices.iter().map(|var| var.index()).collect::<Vec<_>>(), &mut point, &mut |point| {
        result.push(oracle.terms(kernel.expr(), &mut point.to_vec()));
    });
    result
}

struct Oracle<'k> {
    kernel: &'k Kernel,
    data: &'k [Data],
}

impl Oracle<'_> {
    /// Calls `visit` at every value of `vars`, the last one fastest.
    fn each(&self, vars: &[usize], point: &mut Vec<u64>, visit: &mut dyn FnMut(&[u64])) {
        let Some((first, rest)) = vars.split_first() else { return visit(point) };
        for value in 0..self.kernel.vars()[*first].extent {
            point[*first] = value;
            self.each(rest, point, visit);
        }
    }

    /// A sum of terms, each summed over its own variables.
    fn terms(&self, expr: &Expr, point: &mut Vec<u64>) -> f64 {
        match expr {
            Expr::Binary(BinaryOp::Add, a, b) => self.wrapped(self.terms(a, point) + self.terms(b, point)),
            Expr::Binary(BinaryOp::Sub, a, b) => self.wrapped(self.terms(a, point) - self.terms(b, point)),
            Expr::Unary(UnaryOp::Neg, a) => -self.terms(a, point),
            term => {
                let mut free = Vec::new();
                free_vars(term, &mut Vec::new(), &mut free);
                free.retain(|var| !self.kernel.result().indices.iter().any(|index| index.index() == *var));
                let mut sum = 0.0;
                self.each(&free, point, &mut |point| sum += self.value(term, &mut point.to_vec()));
                sum
            }
        }
    }

    fn value(&self, expr: &Expr, point: &mut Vec<u64>) -> f64 {
        match expr {
            Expr::Access(access) => self.entry(access, point),
            Expr::Literal(number) => number.value.as_f64(),
            Expr::Unary(op, a) => {
                let a = self.value(a, point);
                match op {
                    UnaryOp::Neg => -a,
                    UnaryOp::Abs => a.abs(),
                    UnaryOp::Function(UnaryFunction::Sqrt) => a.sqrt(),
                    UnaryOp::Function(UnaryFunction::Exp) => a.exp(),
                    UnaryOp::Function(UnaryFunction::Log) => a.ln(),
                    UnaryOp::Function(UnaryFunction::Sin) => a.sin(),
                    UnaryOp::Function(UnaryFunction::Cos) => a.cos(),
                    UnaryOp::Function(UnaryFunction::Tan) => a.tan(),
                    UnaryOp::Function(UnaryFunction::Tanh) => a.tanh(),
                    other => unreachable!("the notation of these cases has no `{}`", other.name()),
                }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a, point), self.value(b, point));
                self.wrapped(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    BinaryOp::Min => a.min(b),
                    BinaryOp::Max => a.max(b),
                    BinaryOp::Pow => a.powf(b),
                    other => unreachable!("the notation of these cases has no `{}`", other.name()),
                })
            }
            Expr::Reduce { op, vars, body, .. } => {
                let mut values = Vec::new();
                let vars: Vec<usize> = vars.iter().map(|var| var.index()).collect();
                self.each(&vars, point, &mut |point| values.push(self.value(body, &mut point.to_vec())));
                match op {
                    ReduceOp::Sum => values.iter().sum(),
                    ReduceOp::Prod => values.iter().product(),
                    ReduceOp::Min => values.iter().copied().fold(self.extreme().1, f64::min),
                    ReduceOp::Max => values.iter().copied().fold(self.extreme().0, f64::max),
                    other => unreachable!("the notation of these cases has no `{}`", other.name()),
                }
            }
            Expr::Index(..) | Expr::Slot(..) | Expr::Compare(..) | Expr::Cast(..) => self.not_here(),
            Expr::Select { .. } | Expr::Present { .. } | Expr::Onto { .. } => self.not_here(),
        }
    }

    fn not_here(&self) -> f64 {
        unreachable!("the notation of these cases has none of these")
    }

    /// 32-bit integers wrap; those of 64 bits are not that large here.
    fn wrapped(&self, x: f64) -> f64 {
        if self.kernel.element() == Element::I32 { x as i64 as i32 as f64 } else { x }
    }

    /// The least and the greatest value of the kernel's type.
    fn extreme(&self) -> (f64, f64) {
        let range = self.kernel.element().int_range();
        range.map_or((f64::NEG_INFINITY, f64::INFINITY), |(low, high)| (low as f64, high as f64))
    }

    fn entry(&self, access: &Access, point: &[u64]) -> f64 {
        let Data { tensor, dense, .. } = &self.data[access.tensor.index()];
        let axes = access.vars().zip(&tensor.shape);
        dense[axes.fold(0, |at, (var, size)| at * *size as usize + point[var.index()] as usize)]
    }
}

fn free_vars(expr: &Expr, bound: &mut Vec<usize>, free: &mut Vec<usize>) {
    match expr {
        Expr::Access(access) => {
            for var in access.vars().map(|var| var.index()) {
                if !bound.contains(&var) && !free.contains(&var) {
                    free.push(var);
                }
            }
        }
        Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => {}
        Expr::Compare(..) | Expr::Cast(..) | Expr::Select { .. } | Expr::Present { .. } | Expr::Onto { .. } => {
            expr.operands().into_iter().for_each(|operand| free_vars(operand, bound, free));
        }
        Expr::Unary(_, a) => free_vars(a, bound, free),
        Expr::Binary(_, a, b) => {
            free_vars(a, bound, free);
            free_vars(b, bound, free);
        }
        Expr::Reduce { vars, body, .. } => {
            let outer = bound.len();
            bound.extend(vars.iter().map(|var| var.index()));
            free_vars(body, bound, free);
            bound.truncate(outer);
        }
    }
}
