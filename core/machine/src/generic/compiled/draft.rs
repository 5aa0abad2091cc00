//! Makes a kernel from a body.

use std::sync::Arc;

use super::{
    super::Declined,
    expression::{self, Known},
};
use nnz_base::ids::{Dim, IndexVar, TensorId};
use nnz_encoding::{Affine, AffineMap};
use nnz_kernel::{Access, Expr, IndexExpr, Kernel, KernelError, Tensor, VarDecl};
use nnz_run::Refusal;

/// A kernel that is being made.
pub(in crate::generic) struct Draft<'g> {
    /// The tensors that it may read; the last is the old value of the result.
    pub tensors: Vec<Tensor>,
    /// Which of them each operand is.
    pub places: Vec<TensorId>,
    pub extents: &'g [u64],
    /// The name of the result.
    pub result: String,
}

/// A body as an expression.
pub(in crate::generic) struct Said {
    pub kernel: Kernel,
    /// The last operand is the old value of the result.
    pub reads_old: bool,
}

impl Draft<'_> {
    /// The kernel.
    ///
    /// # Errors
    /// What expressions cannot represent; a bug of nnz.
    pub(in crate::generic) fn say(mut self, known: &Known<'_>) -> Result<Said, Declined> {
        let access = |(tensor, map): (&TensorId, &Arc<AffineMap>)| {
            Some(Expr::Access(Access { tensor: *tensor, indices: index_exprs(map)? }))
        };
        let accesses: Option<Vec<Expr>> = self.places.iter().zip(known.maps).map(access).collect();
        let meaning = expression::of_body(known, &accesses.ok_or(Declined::Divides)?)?;
        let (Some(old), Some(target)) = (self.tensors.last().cloned(), known.maps.last().and_then(variables)) else {
            return Err(Declined::Unsaid);
        };
        if !meaning.reads_old {
            self.tensors.pop();
        }
        let target = Access::of_vars(TensorId::new(self.tensors.len()), &target);
        self.tensors.push(Tensor { name: self.result, ..old });
        let named = |(at, extent): (usize, &u64)| VarDecl { name: format!("d{at}"), extent: Some(*extent) };
        let vars = self.extents.iter().enumerate().map(named).collect();
        let kernel = Kernel::declared(self.tensors, vars, target, meaning.expr).map_err(invalid)?;
        // A zero that a condition chooses is a number in a program, but absent in an expression whose loops follow the
        // condition, which differs beside an infinity, and in a reduction of stored terms.
        let expr = kernel.expr();
        match expr.has_condition_joined() || expr.nodes().into_iter().any(Expr::has_condition_as_factor) {
            true => Err(Declined::ConditionAsFactor),
            false => Ok(Said { kernel, reads_old: meaning.reads_old }),
        }
    }
}

/// The variables of a map to distinct loops.
fn variables(map: &Arc<AffineMap>) -> Option<Vec<IndexVar>> {
    map.results.iter().map(|result| result.as_var().map(|dim| IndexVar::new(dim.index()))).collect()
}

/// Programs may do more than kernels: what rules on their text keep out is no fault of nnz. Any other rule is one that a
/// translation keeps.
fn invalid(errors: Vec<KernelError>) -> Declined {
    let of_program = |error: &KernelError| match error {
        KernelError::TooDeep { .. }
        | KernelError::RepeatedInResult { .. }
        | KernelError::OpenPresence { .. }
        | KernelError::AmbiguousSum { .. }
        | KernelError::ExtentMismatch { .. }
        | KernelError::WindowMismatch { .. }
        | KernelError::OutOfBounds { .. }
        | KernelError::Unbounded { .. }
        | KernelError::OpenExtent { .. }
        // A fold may use other values of the body.
        | KernelError::NotCombined { .. } => true,
        KernelError::NoTensor { .. }
        | KernelError::NoVariable { .. }
        | KernelError::Arity { .. }
        | KernelError::EncodingRank { .. }
        | KernelError::ResultIsOperand { .. }
        | KernelError::ResultIndex { .. }
        | KernelError::Mixed { .. }
        | KernelError::ResultElement { .. }
        | KernelError::NoCondition { .. }
        | KernelError::NoCast { .. }
        | KernelError::NarrowIndex { .. }
        | KernelError::NarrowPlace { .. }
        | KernelError::OnePlace { .. }
        | KernelError::LiteralType { .. }
        | KernelError::NoOperation { .. }
        | KernelError::Shadowed { .. }
        | KernelError::ReducedTwice { .. }
        | KernelError::EmptyReduction => false,
    };
    match errors.iter().find(|error| !of_program(error)) {
        Some(wrong) => Refusal::Rewrite(wrong.to_string()).into(),
        None => Declined::Rule(errors.first().map_or(String::new(), ToString::to_string)),
    }
}

/// An affine map as the compiler's indices: sums of multiples of loops.
fn index_exprs(map: &AffineMap) -> Option<Vec<IndexExpr>> {
    map.results.iter().map(index_expr).collect()
}

fn index_expr(affine: &Affine<Dim>) -> Option<IndexExpr> {
    match affine {
        Affine::Var(dim) => Some(IndexExpr::var(IndexVar::new(dim.index()))),
        Affine::Const(offset) => Some(IndexExpr::constant(*offset)),
        Affine::Add(a, b) => index_expr(a)?.plus(&index_expr(b)?),
        Affine::Mul(a, b) => index_expr(a)?.times(b.as_const()?),
        Affine::Sym(_) | Affine::FloorDiv(..) | Affine::CeilDiv(..) | Affine::Mod(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel that a translation made wrong is no kernel that expressions cannot say.
    #[test]
    fn a_wrong_kernel_is_a_bug() {
        let place = || nnz_kernel::AccessRef { access: 0, index: None };
        let twice = || KernelError::RepeatedInResult { var: "d0".to_string(), place: place() };
        assert!(invalid(vec![twice()]).bug().is_none());
        let wrong = KernelError::ReducedTwice { var: "d1".to_string() };
        assert!(invalid(vec![twice(), wrong]).bug().is_some());
    }
}
