//! Which operands of `unary` and `binary` are known to be present before the loops run: dense operands are, and in a
//! product such as `x(i) * (i == 1)` a condition on index variables decides.

use super::{
    PlanError, guard, is_random_access,
    masks::{filtered, stays},
    zero,
};
use nnz_base::element::{Element, Scalar};
use nnz_kernel::{Access, Expr, Kernel};

/// `kernel` changed so that [`Expr::Present`] tests only what is stored; `None` if it does so already.
pub(super) fn decided(kernel: &Kernel) -> Result<Option<Kernel>, PlanError> {
    let decider = Decider { kernel };
    let expr = decider.expr(kernel.expr());
    if expr == *kernel.expr() {
        return Ok(None);
    }
    kernel.rewritten(kernel.tensors().to_vec(), kernel.declarations(), expr).map(Some).map_err(PlanError::rewrite)
}

struct Decider<'k> {
    kernel: &'k Kernel,
}

impl Decider<'_> {
    fn expr(&self, expr: &Expr) -> Expr {
        let Expr::Present { of, then, other } = expr else { return expr.with_parts(&|part| self.expr(part)) };
        if expr.as_there().is_some() {
            return expr.clone();
        }
        let of = &self.asked(of);
        let [then, other] =
            [then, other].map(|arm| arm.as_deref().map(|arm| zero::yielded(self.kernel, self.expr(arm))));
        let never =
            || filtered(Expr::literal(Element::I1, Scalar::Int(0)), Expr::zero(self.kernel.element_of(expr)), None);
        let found = zero::simplify_open(self.kernel, of, &|_| false, &|access| self.is_sparse(access));
        let is_open = found.iter().flat_map(zero::asked).any(|access| self.is_sparse(access));
        let cond = found.as_ref().and_then(|found| guard::of(self.kernel, found));
        let then = match cond.filter(|_| !is_open) {
            Some(cond) => guard::chosen_by(cond, then, other.clone()),
            None => then,
        };
        match found {
            None => other.unwrap_or_else(never),
            // Loops skip what a filter leaves out only if nothing else tests its presence.
            Some(_) if !is_open && then.as_ref().is_none_or(|then| filters(then) && !stays(self.kernel, then)) => {
                then.unwrap_or_else(never)
            }
            Some(_) => {
                let [then, other] = [then, other].map(|arm| arm.map(Box::new));
                Expr::Present { of: Box::new(of.clone()), then, other }
            }
        }
    }

    /// `of`, whose presence alone matters. A reduction in it is present even without terms, so a number replaces it.
    fn asked(&self, of: &Expr) -> Expr {
        match of {
            Expr::Reduce { .. } => Expr::there(Expr::literal(self.kernel.element_of(of), Scalar::Int(1))),
            Expr::Select { cond, then, other } => Expr::Select {
                cond: Box::new(self.expr(cond)),
                then: Box::new(self.asked(then)),
                other: other.as_deref().map(|other| Box::new(self.asked(other))),
            },
            Expr::Present { of, then, other } => {
                let [then, other] = [then, other].map(|arm| arm.as_deref().map(|arm| Box::new(self.asked(arm))));
                self.expr(&Expr::Present { of: of.clone(), then, other })
            }
            Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => of.clone(),
            Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) | Expr::Onto { .. } => {
                of.with_parts(&|part| self.asked(part))
            }
        }
    }

    fn is_sparse(&self, access: &Access) -> bool {
        !is_random_access(self.kernel.tensor(access.tensor))
    }
}

fn filters(expr: &Expr) -> bool {
    expr.nodes().into_iter().any(|node| matches!(node, Expr::Select { other: None, .. }))
}
