//! The place of implicit sums. Each additive term is summed as a whole over those of its variables that do not occur on
//! the left. If two readings differ, the kernel is refused:
//! - a sum under a product, `A(i, j) * (x(j) + z(k))`: `k` could be summed in the second part or around both.
//!   If the other factors use the variable, or both parts do, the readings agree;
//! - a reduction other than `sum` whose body has such a variable, `max(j, A(i, k) * B(k, j))`.
//!
//! A named sum, `sum(k, ...)`, stands where it is written: none of its variables is open.

use super::{Expr, KernelError, Names, ResultAccess};
use crate::{BinaryOp, ReduceOp, Sum};
use nnz_base::ids::IndexVar;

pub(super) fn check(result: &ResultAccess, expr: &Expr, names: &Names<'_>) -> Result<(), Box<KernelError>> {
    Context { names }.terms(expr, &result.indices)
}

struct Context<'c> {
    names: &'c Names<'c>,
}

impl Context<'_> {
    /// The additive terms at the top. Variables are `named` that the left side has, or a reduction around.
    fn terms(&self, expr: &Expr, named: &[IndexVar]) -> Result<(), Box<KernelError>> {
        match expr.as_sum() {
            Sum::Two { a, b, .. } => {
                self.terms(a, named)?;
                self.terms(b, named)
            }
            Sum::Negated(a) => self.terms(a, named),
            Sum::Term(term) => self.factor(term, named, &[]),
        }
    }

    /// A part of a term; the variables `shared` are used by other factors, too.
    fn factor(&self, expr: &Expr, named: &[IndexVar], shared: &[IndexVar]) -> Result<(), Box<KernelError>> {
        match expr.as_sum() {
            Sum::Negated(a) => self.factor(a, named, shared),
            Sum::Two { a, b, .. } => {
                self.addition(expr, [a, b], &joined(named, shared))?;
                self.factor(a, named, shared)?;
                self.factor(b, named, shared)
            }
            Sum::Term(term) => self.product(term, named, shared),
        }
    }

    fn product(&self, expr: &Expr, named: &[IndexVar], shared: &[IndexVar]) -> Result<(), Box<KernelError>> {
        if let Expr::Binary(op @ (BinaryOp::Mul | BinaryOp::Div), a, b) = expr {
            self.factor(a, named, &joined(shared, &b.free_vars()))?;
            let divides = *op == BinaryOp::Div;
            return if divides {
                self.opaque(b, named)
            } else {
                self.factor(b, named, &joined(shared, &a.free_vars()))
            };
        }
        match expr.as_named_sum() {
            Some((vars, body)) => self.factor(body, &joined(named, vars), shared),
            None => self.opaque(expr, named),
        }
    }

    fn addition(&self, whole: &Expr, [a, b]: [&Expr; 2], settled: &[IndexVar]) -> Result<(), Box<KernelError>> {
        let (in_a, in_b) = (a.free_vars(), b.free_vars());
        let both = in_a.iter().chain(&in_b);
        let is_open = |var: &IndexVar| !settled.contains(var) && in_a.contains(var) != in_b.contains(var);
        let open: Vec<IndexVar> = both.copied().filter(is_open).collect();
        if open.is_empty() { Ok(()) } else { Err(Box::new(self.ambiguous(&open, whole))) }
    }

    /// Nothing distributes over what is inside a function or a reduction: only reductions in it are looked at.
    fn opaque(&self, expr: &Expr, named: &[IndexVar]) -> Result<(), Box<KernelError>> {
        let Expr::Reduce { op, over, vars, body } = expr else {
            return expr.operands().into_iter().try_for_each(|part| self.opaque(part, named));
        };
        let inside = joined(named, vars);
        let sums = *op == ReduceOp::Sum && !over.is_stored();
        let open: Vec<IndexVar> = body.free_vars().into_iter().filter(|var| !sums && !inside.contains(var)).collect();
        if open.is_empty() { self.opaque(body, &inside) } else { Err(Box::new(self.ambiguous(&open, expr))) }
    }

    fn ambiguous(&self, open: &[IndexVar], inside: &Expr) -> KernelError {
        let name = |var: &IndexVar| self.names.vars.get(var.index()).copied().unwrap_or("?").to_string();
        KernelError::AmbiguousSum { vars: open.iter().map(name).collect(), inside: self.names.expr(inside) }
    }
}

fn joined(vars: &[IndexVar], others: &[IndexVar]) -> Vec<IndexVar> {
    vars.iter().chain(others).copied().collect()
}
