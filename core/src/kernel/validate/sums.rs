//! Where implicit sums belong. Each additive term is summed as a whole over its variables that the left
//! side lacks. Two readings can differ, and then the kernel is refused:
//! - a sum under a product, `A(i, j) * (x(j) + z(k))`: is `k` summed in the second part or around both?
//!   Where the other factors use the variable, or both parts do, the readings agree;
//! - a reduction other than `sum` whose body has such a variable, `max(j, A(i, k) * B(k, j))`.

use super::{Expr, KernelError, Names, Target};
use crate::{
    ids::IndexVar,
    kernel::{BinaryOp, Over, ReduceOp, UnaryOp},
};

pub(super) fn check(result: &Target, expr: &Expr, names: &Names<'_>) -> Result<(), Box<KernelError>> {
    let context = Context { result: &result.indices, names };
    context.terms(expr)
}

struct Context<'c> {
    result: &'c [IndexVar],
    names: &'c Names<'c>,
}

impl Context<'_> {
    /// The additive terms at the top.
    fn terms(&self, expr: &Expr) -> Result<(), Box<KernelError>> {
        match expr {
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => self.terms(a).and_then(|()| self.terms(b)),
            Expr::Unary(UnaryOp::Neg, a) => self.terms(a),
            _ => self.factor(expr, self.result.to_vec()),
        }
    }

    /// A part of a term whose variables in `settled` are the left side's, or used by other factors too.
    fn factor(&self, expr: &Expr, settled: Vec<IndexVar>) -> Result<(), Box<KernelError>> {
        match expr {
            Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => Ok(()),
            Expr::Unary(UnaryOp::Neg, a) => self.factor(a, settled),
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => self.addition(expr, a, b, settled),
            Expr::Binary(BinaryOp::Mul, a, b) => {
                self.factor(a, joined(&settled, b))?;
                self.factor(b, joined(&settled, a))
            }
            Expr::Binary(BinaryOp::Div, a, b) => {
                self.factor(a, joined(&settled, b))?;
                self.opaque(b, &[])
            }
            Expr::Reduce { op: ReduceOp::Sum, over: Over::All, vars, body } => {
                self.factor(body, settled.into_iter().chain(vars.iter().copied()).collect())
            }
            Expr::Reduce { vars, body, .. } => self.reduction(expr, vars, body),
            _ => expr.operands().into_iter().try_for_each(|operand| self.opaque(operand, &[])),
        }
    }

    fn addition(&self, whole: &Expr, a: &Expr, b: &Expr, settled: Vec<IndexVar>) -> Result<(), Box<KernelError>> {
        let (in_a, in_b) = (a.free_vars(), b.free_vars());
        let both = in_a.iter().chain(&in_b);
        let open = both.copied().find(|var| !settled.contains(var) && in_a.contains(var) != in_b.contains(var));
        match open {
            Some(var) => Err(Box::new(self.ambiguous(var, whole))),
            None => self.factor(a, settled.clone()).and_then(|()| self.factor(b, settled)),
        }
    }

    fn reduction(&self, whole: &Expr, vars: &[IndexVar], body: &Expr) -> Result<(), Box<KernelError>> {
        let open = body.free_vars().into_iter().find(|var| !vars.contains(var) && !self.result.contains(var));
        match open {
            Some(var) => Err(Box::new(self.ambiguous(var, whole))),
            None => self.opaque(body, vars),
        }
    }

    /// Nothing distributes over what is inside a function, or a reduction over `around`: only the reductions in it
    /// are looked at.
    fn opaque(&self, expr: &Expr, around: &[IndexVar]) -> Result<(), Box<KernelError>> {
        let reductions = expr.nodes().into_iter().filter_map(|node| match node {
            Expr::Reduce { op, over, vars, body } if *op != ReduceOp::Sum || over.is_stored() => {
                Some((node, vars, body))
            }
            _ => None,
        });
        reductions.into_iter().try_for_each(|(node, vars, body)| {
            let known = |var: &IndexVar| vars.contains(var) || around.contains(var) || self.bound(expr, *var);
            let open = body.free_vars().into_iter().find(|var| !known(var));
            open.map_or(Ok(()), |var| Err(Box::new(self.ambiguous(var, node))))
        })
    }

    /// On the left side, or bound by a reduction somewhere in `expr`.
    fn bound(&self, expr: &Expr, var: IndexVar) -> bool {
        let binds = |node: &Expr| matches!(node, Expr::Reduce { vars, .. } if vars.contains(&var));
        self.result.contains(&var) || expr.nodes().into_iter().any(binds)
    }

    fn ambiguous(&self, var: IndexVar, inside: &Expr) -> KernelError {
        let var = self.names.vars.get(var.index()).copied().unwrap_or("?").to_string();
        KernelError::AmbiguousSum { var, inside: self.names.expr(inside) }
    }
}

fn joined(settled: &[IndexVar], other: &Expr) -> Vec<IndexVar> {
    settled.iter().copied().chain(other.free_vars()).collect()
}
