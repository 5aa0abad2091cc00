//! Masks: values that say what is stored, for operands that a kernel reads as dense arrays although it depends on
//! presence.

use super::{guard, is_random_access, zero};
use nnz_base::{
    element::{Element, Scalar},
    ids::TensorId,
};
use nnz_kernel::{Access, BinaryOp, Expr, Kernel, Over, ReduceOp, UnaryOp};

/// `expr`, a part of `kernel`'s expression, with dense copies of the tensors for which `mask` gives a mask. A
/// mask is 1 (of `i1`) where the tensor stores an entry. Every sparse operand must have one. Filters by value
/// (see [`Expr::Select`]) replace structural absence; no [`Expr::Present`] tests what is stored.
pub fn masked(kernel: &Kernel, expr: &Expr, mask: &dyn Fn(TensorId) -> Option<TensorId>) -> Expr {
    Masker { kernel, mask }.expr(expr)
}

/// `expr`, a part of `kernel`'s expression, with some accesses known to be absent: a condition that never holds filters
/// them out, and no [`Expr::Present`] tests them.
pub fn without(kernel: &Kernel, expr: &Expr, absent: &dyn Fn(&Access) -> bool) -> Expr {
    let never =
        |like: &Expr| filtered(Expr::literal(Element::I1, Scalar::Int(0)), Expr::zero(kernel.element_of(like)), None);
    let sparse = |access: &Access| !is_random_access(kernel.tensor(access.tensor));
    expr.replaced(&|part| {
        if let Expr::Access(access) = part {
            return absent(access).then(|| never(part));
        }
        let Expr::Present { of, then, other } = part else { return None };
        of.accesses().into_iter().any(absent).then_some(())?;
        let [then, other] = [then, other].map(|arm| arm.as_deref().map(|arm| region(kernel, arm, absent)));
        Some(match zero::simplify_open(kernel, &numbered(of, true), absent, &sparse) {
            Some(of) => {
                let (of, [then, other]) = (Box::new(of), [then, other].map(|arm| arm.map(Box::new)));
                Expr::Present { of, then, other }
            }
            None => other.map_or_else(|| never(part), |other| given(kernel, other)),
        })
    })
}

/// Whether what a region gives means something else outside of it: a sum takes factors into its terms, and a number that is
/// left where filters let nothing through, as of `select(c(i), x(i)) + 3`, is there only in a region.
pub(super) fn stays(kernel: &Kernel, arm: &Expr) -> bool {
    let sum = |node: &Expr| matches!(node, Expr::Reduce { op: ReduceOp::Sum, .. });
    arm.nodes().into_iter().any(sum) || guard::passes(kernel, arm)
}

/// What a region gives.
fn given(kernel: &Kernel, arm: Expr) -> Expr {
    if stays(kernel, &arm) { Expr::given(kernel.element_of(&arm), arm) } else { arm }
}

/// The operand of a region with its reductions marked as values: they are numbers in it, but for one over stored terms that
/// is all of it or an arm of it.
fn numbered(of: &Expr, is_whole: bool) -> Expr {
    let part = |is_whole: bool| move |part: &Expr| numbered(part, is_whole);
    let arm = |arm: &Expr| Box::new(numbered(arm, is_whole));
    match of {
        Expr::Reduce { over: Over::Stored, .. } if is_whole => of.clone(),
        Expr::Reduce { op, over, vars, body } => {
            Expr::Reduce { op: op.clone(), over: over.as_value(), vars: vars.clone(), body: body.clone() }
        }
        // Conditions without any term are absent.
        Expr::Cast(..) | Expr::Unary(UnaryOp::Neg, _) | Expr::Binary(BinaryOp::Or, ..) => {
            of.with_parts(&part(is_whole))
        }
        Expr::Select { cond, then, other } => {
            Expr::Select { cond: cond.clone(), then: arm(then), other: other.as_deref().map(arm) }
        }
        Expr::Present { of, then, other } => {
            let [then, other] = [then, other].map(|given| given.as_deref().map(arm));
            Expr::Present { of: Box::new(numbered(of, true)), then, other }
        }
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => of.clone(),
        Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Onto { .. } => of.with_parts(&part(false)),
    }
}

/// `expr` where no mask holds (see [`masked`]).
pub(super) fn emptied(expr: &Expr) -> Expr {
    expr.replaced(&|part| {
        let Expr::Select { cond, then, other: None } = part else { return None };
        let (Expr::Access(mask), Expr::Access(copy)) = (&**cond, &**then) else { return None };
        let never = || filtered(Expr::literal(Element::I1, Scalar::Int(0)), (**then).clone(), None);
        (mask.indices == copy.indices).then(never)
    })
}

fn region(kernel: &Kernel, arm: &Expr, absent: &dyn Fn(&Access) -> bool) -> Expr {
    zero::yielded(kernel, without(kernel, arm, absent))
}

struct Masker<'m> {
    kernel: &'m Kernel,
    mask: &'m dyn Fn(TensorId) -> Option<TensorId>,
}

impl Masker<'_> {
    fn expr(&self, expr: &Expr) -> Expr {
        expr.replaced(&|part| {
            if let Expr::Access(access) = part {
                return self.access(access);
            }
            let Expr::Present { of, then, other } = part else { return None };
            let present = || self.present(self.kernel.element_of(part), of, then.as_deref(), other.as_deref());
            Some(if part.as_there().is_some() { part.clone() } else { present() })
        })
    }

    /// The copy where the mask holds.
    fn access(&self, access: &Access) -> Option<Expr> {
        let tensor = (self.mask)(access.tensor)?;
        let stored = Expr::Access(Access { tensor, indices: access.indices.clone() });
        Some(filtered(stored, Expr::Access(access.clone()), None))
    }

    fn present(&self, element: Element, of: &Expr, then: Option<&Expr>, other: Option<&Expr>) -> Expr {
        let region = |arm: &Expr| given(self.kernel, zero::yielded(self.kernel, self.expr(arm)));
        let [then, other] = [then, other].map(|arm| arm.map(region));
        let chosen = match guard::of(self.kernel, &self.expr(of)) {
            None => then,
            Some(cond) => guard::chosen_by(cond, then, other),
        };
        chosen.unwrap_or_else(|| filtered(Expr::literal(Element::I1, Scalar::Int(0)), Expr::zero(element), None))
    }
}

pub(super) fn filtered(cond: Expr, then: Expr, other: Option<Expr>) -> Expr {
    Expr::Select { cond: Box::new(cond), then: Box::new(then), other: other.map(Box::new) }
}
